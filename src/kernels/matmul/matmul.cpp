// SPDX-License-Identifier: Apache-2.0
// Drives the register tiles over batches, rows and panels.
#include "kernels/matmul/matmul.h"

#include <algorithm>

#include "base/check.h"
#include "kernels/layout/transpose2d.h"
#include "kernels/matmul/skinny.h"
#include "kernels/matmul/tile_loop.h"

namespace cairn::kernels {
namespace {

constexpr int64_t kMaxBlockRows = 240;

int64_t Matrices(const MatmulParams& params) {
  return params.batch[0] * params.batch[1] * params.batch[2];
}

/// Where matrix `index` of the batch lies.
int64_t BatchOffset(const MatmulParams& params, const MatrixStrides& strides, int64_t index) {
  const int64_t z = index % params.batch[2], rest = index / params.batch[2];
  return rest / params.batch[1] * strides.batch[0] + rest % params.batch[1] * strides.batch[1] +
         z * strides.batch[2];
}

/// The same batch over copies of an operand that are packed one after another: a repeated matrix
/// has one copy.
struct PackedBatch {
  std::array<int64_t, kMatmulBatchDims> batch;
  MatrixStrides strides;
  int64_t copies;
};

PackedBatch PackBatch(const MatmulParams& params, const MatrixStrides& strides, int64_t floats) {
  PackedBatch packed{.copies = 1};
  for (int d = kMatmulBatchDims - 1; d >= 0; --d) {
    const bool repeated = strides.batch[d] == 0;
    packed.batch[d] = repeated ? 1 : params.batch[d];
    packed.strides.batch[d] = repeated ? 0 : packed.copies * floats;
    packed.copies *= packed.batch[d];
  }
  return packed;
}

/// When every matrix meets the same b, the rows of all of them form one matrix if they are evenly
/// spaced.
MatmulParams MergeBatch(MatmulParams params) {
  for (int d = kMatmulBatchDims - 1; d >= 0; --d) {
    if (params.batch[d] == 1) continue;
    const bool even = params.b.batch[d] == 0 && params.a.batch[d] == params.m * params.a.row &&
                      params.c.batch[d] == params.m * params.c.row;
    if (!even) break;
    params.m *= params.batch[d];
    params.batch[d] = 1;
  }
  return params;
}

Panels PanelsOf(const MatmulParams& params) { return {params.n, VectorFloats(params.isa)}; }

/// Rows a multiple of 2 KiB apart share one or two sets of the first-level cache: a tile of them
/// does not fit.
bool RowsCollide(const MatmulParams& params) {
  return params.a_block == 0 && params.a.row % 512 == 0 && params.m >= 16 && params.n >= 256;
}
bool PacksA(const MatmulParams& params) { return params.a.column != 1 || RowsCollide(params); }
/// Few rows read a row-major b in place when its rows are whole vectors: packing costs more than it
/// saves.
bool ReadsBInPlace(const MatmulParams& params) {
  constexpr int64_t kFewRows = 64;
  return !params.b_packed && params.b.column == 1 && params.m <= kFewRows &&
         params.n % VectorFloats(params.isa) == 0;
}
bool PacksB(const MatmulParams& params) { return !params.b_packed && !ReadsBInPlace(params); }

/// Floats from one row of a packed a to the next; not a multiple of 1 KiB.
int64_t PackedARow(const MatmulParams& params) {
  const int64_t row = DivideUp(params.k, 16) * 16;
  return row % 256 == 0 ? row + 16 : row;
}
int64_t PackedAMatrix(const MatmulParams& params) { return params.m * PackedARow(params); }

int64_t PackedAFloats(const MatmulParams& params) {
  const int64_t floats = PackedAMatrix(params);
  return PacksA(params) ? floats * PackBatch(params, params.a, floats).copies : 0;
}

int64_t PackedBFloats(const MatmulParams& params) {
  const int64_t floats = PanelsOf(params).packed_floats(params.k);
  return PacksB(params) ? floats * PackBatch(params, params.b, floats).copies : 0;
}

void PackA(const MatmulParams& params, const float* a, float* packed, Part part) {
  const int64_t floats = PackedAMatrix(params), stride = PackedARow(params);
  const PackedBatch batch = PackBatch(params, params.a, floats);
  MatmulParams copies = params;
  copies.batch = batch.batch;
  const Range rows = PartRange(batch.copies * params.m, 1, part);
  for (int64_t i = rows.begin; i < rows.end;) {
    const int64_t copy = i / params.m, row = i % params.m;
    const int64_t count = std::min(params.m - row, rows.end - i);
    const float* from = a + BatchOffset(copies, params.a, copy) + row * params.a.row;
    float* to = packed + copy * floats + row * stride;
    if (params.a.row == 1) {
      GetTranspose2d(params.isa)(from, params.a.column, to, stride, params.k, count);
    } else {
      for (int64_t r = 0; r < count; ++r) {
        for (int64_t k = 0; k < params.k; ++k) {
          to[r * stride + k] = from[r * params.a.row + k * params.a.column];
        }
      }
    }
    i += count;
  }
}

/// As PackPanel for a matrix whose columns are contiguous, through vector registers.
void PackTransposedPanel(Isa isa, const Panels& panels, int64_t panel, const float* b,
                         int64_t depth, int64_t col_stride, float* packed) {
  const int64_t width = panels.panel_vectors(panel) * panels.c0;
  const int64_t column = panels.first_vector(panel) * panels.c0;
  const int64_t valid = std::min(width, panels.columns - column);
  GetTranspose2d(isa)(b + column * col_stride, col_stride, packed, width, valid, depth);
  for (int64_t k = 0; valid < width && k < depth; ++k) {
    std::fill(packed + k * width + valid, packed + (k + 1) * width, 0.0f);
  }
}

void PackB(const MatmulParams& params, const float* b, float* packed, Part part) {
  const Panels panels = PanelsOf(params);
  const int64_t floats = panels.packed_floats(params.k);
  const PackedBatch batch = PackBatch(params, params.b, floats);
  MatmulParams copies = params;
  copies.batch = batch.batch;
  const Range range = PartRange(batch.copies * panels.count(), 1, part);
  for (int64_t i = range.begin; i < range.end; ++i) {
    const int64_t copy = i / panels.count(), panel = i % panels.count();
    const float* from = b + BatchOffset(copies, params.b, copy);
    float* to = packed + copy * floats + panels.offset(panel, params.k);
    if (params.b.row == 1 && params.b.column != 1) {
      PackTransposedPanel(params.isa, panels, panel, from, params.k, params.b.column, to);
    } else {
      PackPanel(panels, panel, from, params.k, params.b.row, params.b.column, to);
    }
  }
}

SumShape SumOf(const MatmulParams& params) {
  return params.a_block > 0 ? TappedSum(1, params.k, params.a_block) : ContiguousSum(params.k);
}

/// The kernels for few rows sum consecutive terms only.
bool IsSkinny(const MatmulParams& params) {
  return params.m <= kMaxSkinnyRows && params.a_block == 0;
}

/// Rows [begin, end) of one matrix.
struct MatrixRows {
  const float* a;
  float* c;
  const float* residual;
  int64_t row_index;
};

void RunRows(const MatmulParams& params, const SumJob& job, const MatrixRows& matrix, Range range,
             Range panels) {
  RowRef refs[kMaxBlockRows];
  const int64_t step = std::min(RowsPerBlock(job.sum), kMaxBlockRows);
  const int64_t block_step = params.a_block > 0 ? params.a_block_step : job.sum.length;
  for (int64_t begin = range.begin; begin < range.end; begin += step) {
    const int64_t rows = std::min(step, range.end - begin);
    for (int64_t r = 0; r < rows; ++r) {
      refs[r] = {matrix.a + (begin + r) * params.a.row, block_step};
    }
    const int64_t offset = begin * params.c.row;
    const RowBlock block = {
        .refs = refs,
        .tap_stride = 0,
        .rows = rows,
        .dst = matrix.c + offset,
        .residual = matrix.residual == nullptr ? nullptr : matrix.residual + offset,
        .row_index = matrix.row_index + begin};
    if (IsSkinny(params)) {
      RunSkinnyTiles(job, params.isa, block, panels);
    } else {
      RunTiles(job, block, panels);
    }
  }
}

}  // namespace

int64_t MatmulPackedFloats(Isa isa, int64_t k, int64_t n) {
  return Panels{n, VectorFloats(isa)}.packed_floats(k);
}

void PackMatmul(Isa isa, int64_t k, int64_t n, const float* b, int64_t row_stride,
                int64_t column_stride, float* packed) {
  const Panels panels{n, VectorFloats(isa)};
  for (int64_t p = 0; p < panels.count(); ++p) {
    PackPanel(panels, p, b, k, row_stride, column_stride, packed + panels.offset(p, k));
  }
}

size_t MatmulWorkspaceBytes(const MatmulParams& params, int /*num_parts*/) {
  const MatmulParams merged = MergeBatch(params);
  return static_cast<size_t>(PackedAFloats(merged) + PackedBFloats(merged)) * sizeof(float);
}

int MatmulPhases(const MatmulParams& params) {
  const MatmulParams merged = MergeBatch(params);
  return PacksA(merged) || PacksB(merged) ? 2 : 1;
}

void RunMatmul(const MatmulParams& original, const MatmulBuffers& buffers, int phase, Part part) {
  MatmulParams params = MergeBatch(original);
  CAIRN_DCHECK(params.c.column == 1, "rows of the product are contiguous");
  float* packed_a = static_cast<float*>(buffers.workspace);
  float* packed_b = packed_a + PackedAFloats(params);
  if (phase + 1 < MatmulPhases(params)) {
    if (PacksA(params)) PackA(params, buffers.a, packed_a, part);
    if (PacksB(params)) PackB(params, buffers.b, packed_b, part);
    return;
  }
  const float* a = buffers.a;
  const float* b = buffers.b;
  if (PacksA(params)) {
    const int64_t stride = PackedARow(params);
    a = packed_a;
    params.a = PackBatch(params, params.a, PackedAMatrix(params)).strides;
    params.a.row = stride;
  }
  const Panels panels = PanelsOf(params);
  if (PacksB(params)) {
    b = packed_b;
    params.b = PackBatch(params, params.b, panels.packed_floats(params.k)).strides;
  }
  SumJob job = {.tiles = GetTileTable(params.isa),
                .panels = panels,
                .sum = SumOf(params),
                .weight_row = ReadsBInPlace(params) ? params.b.row : 0,
                .bias = buffers.bias,
                .epilogue = &params.epilogue,
                .dst_row_stride = params.c.row,
                .dst_vector_stride = panels.c0,
                .zero_tail = false};
  // The number of partial sums of a skinny product depends on its rows: they stay together.
  const int64_t grain = IsSkinny(params) ? std::max<int64_t>(params.m, 1) : 2;
  const GridShare share = ShareGrid(Matrices(params) * params.m, grain, panels.count(), part);
  for (int64_t row = share.rows.begin; row < share.rows.end;) {
    const int64_t index = row / params.m, first = row % params.m;
    const int64_t end = std::min(params.m, first + share.rows.end - row);
    const int64_t c_offset = BatchOffset(params, params.c, index);
    const MatrixRows matrix = {
        .a = a + BatchOffset(params, params.a, index),
        .c = buffers.c + c_offset,
        .residual = buffers.residual == nullptr ? nullptr : buffers.residual + c_offset,
        .row_index = index * params.m};
    job.weights = b + BatchOffset(params, params.b, index);
    RunRows(params, job, matrix, {first, end}, share.panels);
    row += end - first;
  }
}

double EstimateMatmulCycles(const MatmulParams& params) {
  const Panels panels = PanelsOf(params);
  const double rows = static_cast<double>(Matrices(params)) * params.m;
  const double terms = rows * params.k * panels.vectors() * panels.c0;
  const double compute = TileCycles(terms, panels.c0) * (IsSkinny(params) ? 1.5 : 1.0);
  const double operands = static_cast<double>(params.k) * params.n *
                          (params.b.batch[2] == 0 ? 1.0 : static_cast<double>(Matrices(params)));
  const double packing = PacksB(params) ? 0.5 * operands : 0.0;
  return std::max(compute, StreamCycles(operands)) + packing + 200.0;
}

}  // namespace cairn::kernels
