// SPDX-License-Identifier: Apache-2.0
// Cuts the iteration space into tiles, brings operands into vector form and stores the results.
#include "kernels/elementwise/elementwise.h"

#include <algorithm>
#include <cstring>

#include "kernels/elementwise/tile_program.h"

namespace cairn::kernels {
namespace {

// A block of the two innermost dimensions at one position of the outer ones.
struct Block {
  int64_t rows, cols;  // cols is a multiple of the lanes, or less than one vector.
  int64_t row0, col0;
  int64_t outer[kEltMaxRank];  // Indices of the outer dimensions.
};

int64_t BaseOffset(const EltParams& p, const EltOperand& operand, const Block& block) {
  int64_t offset =
      block.row0 * operand.strides[p.rank - 2] + block.col0 * operand.strides[p.rank - 1];
  for (int i = 0; i + 2 < p.rank; ++i) offset += block.outer[i] * operand.strides[i];
  return offset;
}

class Engine {
 public:
  Engine(const EltParams& params, const EltBuffers& buffers)
      : p_(params),
        buffers_(buffers),
        prepared_(PrepareTileProgram(params.isa, params.program)),
        convert_(GetTileConversions(params.isa)),
        lanes_(VectorFloats(params.isa)) {
    FillConstants(p_.program, scratch_);
  }

  void Run(Part part);

 private:
  void RunBlock(const Block& block);
  TileSource Source(int index, const Block& block, int64_t padded_cols);
  void ZeroPaddingLanes(const Block& block, const TileSink& sink) const;
  void Load(ElementType type, const char* src, int64_t stride, int64_t count, float* dst) const;
  void Store(ElementType type, const float* src, char* dst, int64_t stride, int64_t count) const;

  const EltParams& p_;
  const EltBuffers& buffers_;
  const TileProgram prepared_;
  const TileConversions convert_;
  const int64_t lanes_;
  TileScratch scratch_;  // Not initialised.
};

void Engine::Load(ElementType type, const char* src, int64_t stride, int64_t count,
                  float* dst) const {
  if (stride == 1) return convert_.load(type, src, dst, count);
  const auto size = static_cast<int64_t>(ElementBytes(type, 1));
  if (stride == 0) {
    convert_.load(type, src, dst, 1);
    std::fill_n(dst, count, *dst);
    return;
  }
  for (int64_t i = 0; i < count; ++i) convert_.load(type, src + i * stride * size, dst + i, 1);
}

void Engine::Store(ElementType type, const float* src, char* dst, int64_t stride,
                   int64_t count) const {
  if (stride == 1) return convert_.store(type, src, dst, count);
  const auto size = static_cast<int64_t>(ElementBytes(type, 1));
  for (int64_t i = 0; i < count; ++i) convert_.store(type, src + i, dst + i * stride * size, 1);
}

// Input `index` as vectors: in place if it is dense f32, otherwise converted or expanded in
// scratch.
TileSource Engine::Source(int index, const Block& block, int64_t padded_cols) {
  const EltOperand& operand = p_.inputs[index];
  const int64_t row_stride = operand.strides[p_.rank - 2], stride = operand.strides[p_.rank - 1];
  const auto size = static_cast<int64_t>(ElementBytes(operand.type, 1));
  const char* src =
      static_cast<const char*>(buffers_.inputs[index]) + BaseOffset(p_, operand, block) * size;
  float* tile = scratch_.inputs[index];
  const bool whole = block.cols == padded_cols;
  if (operand.type == ElementType::kF32 && stride == 1 && whole) {
    return {reinterpret_cast<const float*>(src), row_stride, lanes_};
  }
  const int64_t rows = row_stride == 0 ? 1 : block.rows;
  if (stride == 0) {
    // One value a row, one vector of it.
    for (int64_t r = 0; r < rows; ++r) {
      Load(operand.type, src + r * row_stride * size, 0, lanes_, tile + r * lanes_);
    }
    return {tile, row_stride == 0 ? 0 : lanes_, 0};
  }
  if (whole && stride == 1 && row_stride == block.cols) {
    Load(operand.type, src, 1, rows * block.cols, tile);
  } else {
    for (int64_t r = 0; r < rows; ++r) {
      float* row = tile + r * padded_cols;
      Load(operand.type, src + r * row_stride * size, stride, block.cols, row);
      std::fill(row + block.cols, row + padded_cols, 0.0f);
    }
  }
  return {tile, row_stride == 0 ? 0 : padded_cols, lanes_};
}

void Engine::ZeroPaddingLanes(const Block& block, const TileSink& sink) const {
  const int64_t used = p_.mask_channels % lanes_, last = p_.dims[p_.mask_dim] - 1;
  for (int64_t r = 0; r < block.rows; ++r) {
    const int64_t index = p_.mask_dim == p_.rank - 2 ? block.row0 + r : block.outer[p_.mask_dim];
    if (index != last) continue;
    for (int64_t c = 0; c < block.cols; c += lanes_) {
      std::fill_n(sink.data + r * sink.row_step + c + used, lanes_ - used, 0.0f);
    }
  }
}

void Engine::RunBlock(const Block& block) {
  const int64_t padded_cols = (block.cols + lanes_ - 1) / lanes_ * lanes_;
  TileSource sources[kEltMaxInputs];
  for (int i = 0; i < p_.program.num_inputs; ++i) sources[i] = Source(i, block, padded_cols);
  TileSink sinks[kEltMaxOutputs];
  char* dst[kEltMaxOutputs];
  bool direct[kEltMaxOutputs];
  // Tiles of outputs that cannot be written in place; few, so apart from the program's scratch.
  alignas(64) float tiles[kEltMaxOutputs][kTileFloats];
  for (int i = 0; i < p_.program.num_outputs; ++i) {
    const EltOperand& operand = p_.outputs[i];
    const auto size = static_cast<int64_t>(ElementBytes(operand.type, 1));
    dst[i] = static_cast<char*>(buffers_.outputs[i]) + BaseOffset(p_, operand, block) * size;
    direct[i] = operand.type == ElementType::kF32 && operand.strides[p_.rank - 1] == 1 &&
                block.cols == padded_cols;
    sinks[i] = direct[i] ? TileSink{reinterpret_cast<float*>(dst[i]), operand.strides[p_.rank - 2]}
                         : TileSink{tiles[i], padded_cols};
  }
  RunTileProgram(prepared_, scratch_, sources, sinks, block.rows, padded_cols / lanes_);
  for (int i = 0; i < p_.program.num_outputs; ++i) {
    if (p_.mask_channels % lanes_ != 0) ZeroPaddingLanes(block, sinks[i]);
    if (direct[i]) continue;
    const EltOperand& operand = p_.outputs[i];
    const auto size = static_cast<int64_t>(ElementBytes(operand.type, 1));
    for (int64_t r = 0; r < block.rows; ++r) {
      Store(operand.type, tiles[i] + r * padded_cols,
            dst[i] + r * operand.strides[p_.rank - 2] * size, operand.strides[p_.rank - 1],
            block.cols);
    }
  }
}

void Engine::Run(Part part) {
  const int64_t rows = p_.dims[p_.rank - 2], cols = p_.dims[p_.rank - 1];
  int64_t outer = 1;
  for (int i = 0; i + 2 < p_.rank; ++i) outer *= p_.dims[i];
  if (outer == 0 || rows == 0 || cols == 0) return;
  const int64_t tile_cols = std::min<int64_t>(cols, kTileFloats);
  const int64_t padded = (tile_cols + lanes_ - 1) / lanes_ * lanes_;
  const int64_t tile_rows = std::min(rows, std::max<int64_t>(1, kTileFloats / padded));
  const int64_t col_tiles = (cols + tile_cols - 1) / tile_cols;
  const int64_t row_tiles = (rows + tile_rows - 1) / tile_rows;
  const Range range = PartRange(outer * row_tiles * col_tiles, 1, part);
  for (int64_t t = range.begin; t < range.end; ++t) {
    Block block;
    int64_t position = t / (row_tiles * col_tiles);
    for (int i = p_.rank - 3; i >= 0; --i) {
      block.outer[i] = position % p_.dims[i];
      position /= p_.dims[i];
    }
    block.row0 = t / col_tiles % row_tiles * tile_rows;
    block.rows = std::min(tile_rows, rows - block.row0);
    block.col0 = t % col_tiles * tile_cols;
    const int64_t width = std::min(tile_cols, cols - block.col0);
    const int64_t whole = width / lanes_ * lanes_;
    if (whole > 0) {
      block.cols = whole;
      RunBlock(block);
    }
    if (whole < width) {
      block.col0 += whole;
      block.cols = width - whole;
      RunBlock(block);
    }
  }
}

// At least two dimensions, so that the engine always has rows and columns.
EltParams PadRank(const EltParams& params) {
  EltParams p = params;
  const int shift = 2 - p.rank;
  const auto pad = [&](int64_t* values, int64_t fill) {
    for (int i = 1; i >= 0; --i) values[i] = i >= shift ? values[i - shift] : fill;
  };
  pad(p.dims, 1);
  for (EltOperand& operand : p.inputs) pad(operand.strides, 0);
  for (EltOperand& operand : p.outputs) pad(operand.strides, 0);
  p.mask_dim += shift;
  p.rank = 2;
  return p;
}

}  // namespace

void CollapseDims(EltParams& p) {
  const auto for_each_operand = [&p](auto&& visit) {
    for (int i = 0; i < p.program.num_inputs; ++i) visit(p.inputs[i]);
    for (int i = 0; i < p.program.num_outputs; ++i) visit(p.outputs[i]);
  };
  const bool masked = p.mask_channels > 0;
  const auto erase = [&](int dim) {
    for (int i = dim; i + 1 < p.rank; ++i) {
      p.dims[i] = p.dims[i + 1];
      for_each_operand([i](EltOperand& o) { o.strides[i] = o.strides[i + 1]; });
    }
    --p.rank;
    if (p.mask_dim > dim) --p.mask_dim;
  };
  for (int i = p.rank - 1; i >= 0 && p.rank > 1; --i) {
    if (p.dims[i] == 1 && !(masked && (i == p.mask_dim || i == p.rank - 1))) erase(i);
  }
  for (int i = p.rank - 2; i >= 0; --i) {
    if (masked && (i == p.mask_dim || i + 1 == p.mask_dim)) continue;
    bool mergeable = true;
    for_each_operand([&](const EltOperand& o) {
      mergeable = mergeable && o.strides[i] == o.strides[i + 1] * p.dims[i + 1];
    });
    if (!mergeable) continue;
    p.dims[i + 1] *= p.dims[i];
    erase(i);
  }
}

void RunElementwise(const EltParams& params, const EltBuffers& buffers, int /*phase*/, Part part) {
  if (params.rank >= 2) {
    Engine(params, buffers).Run(part);
  } else {
    const EltParams padded = PadRank(params);
    Engine(padded, buffers).Run(part);
  }
}

}  // namespace cairn::kernels
