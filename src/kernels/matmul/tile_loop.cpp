// SPDX-License-Identifier: Apache-2.0
// The loops around the register tile.
#include "kernels/matmul/tile_loop.h"

#include <algorithm>
#include <limits>

#include "kernels/matmul/skinny.h"

namespace cairn::kernels {
namespace {

// Terms summed in registers; a panel of two AVX2 vectors of them is 48 KiB, streamed from L2.
constexpr int64_t kPieceDepth = 768;
// Row operands of one piece, in floats: a quarter of a 1 MiB second-level cache.
constexpr int64_t kBlockFloats = 65536;
// Rows finished before the hook runs over them: enough to amortise the call, few enough for L1.
constexpr int64_t kHookRows = 48;

void CallHook(const SumJob& job, const RowBlock& rows, int64_t panel, Range range) {
  const Panels& panels = job.panels;
  const int64_t first = panels.first_vector(panel);
  const int64_t vectors = panels.panel_vectors(panel);
  const bool adjacent = job.dst_vector_stride == panels.c0;
  const int64_t step = adjacent ? vectors : 1;
  for (int64_t v = first; v < first + vectors; v += step) {
    const int64_t column = v * panels.c0;
    const TileRegion region = {
        .data = rows.dst + range.begin * job.dst_row_stride + v * job.dst_vector_stride,
        .row_stride = job.dst_row_stride,
        .rows = range.size(),
        .cols = std::min(step * panels.c0, panels.columns - column),
        .row0 = rows.row_index + range.begin,
        .col0 = rows.col_index + column};
    job.epilogue->hook.apply(job.epilogue->hook.context, region);
  }
}

/// Asks for the places of a tile of results: stores that miss would fill the queue and stop the
/// sums.
template <bool kWrite>
void PrefetchTile(const SumJob& job, const float* tile, int64_t rows, int vectors) {
  const int64_t row_step = std::max<int64_t>(kLineFloats / job.dst_row_stride, 1);
  const int64_t vector_step = std::max<int64_t>(kLineFloats / job.dst_vector_stride, 1);
  for (int64_t v = 0; v < vectors; v += vector_step) {
    for (int64_t r = 0; r < rows; r += row_step) {
      __builtin_prefetch(tile + r * job.dst_row_stride + v * job.dst_vector_stride, kWrite);
    }
  }
}

void RunPanel(const SumJob& job, const SumPiece& piece, const RowBlock& rows, int64_t panel,
              bool first, bool last, bool fresh_rows) {
  const int64_t depth = job.sum.depth();
  const bool packed = job.weight_row == 0;
  const Panels& panels = job.panels;
  const int vectors = panels.panel_vectors(panel);
  const int64_t width = vectors * panels.c0;
  const int64_t vector_offset = panels.first_vector(panel) * job.dst_vector_stride;
  TileArgs args = {
      .tap_stride = rows.tap_stride,
      .taps = piece.taps,
      .first_block = piece.first_block,
      .blocks = piece.blocks,
      .length = piece.length,
      .missing = piece.missing,
      .weights = packed ? job.weights + panels.offset(panel, depth) + piece.depth_begin * width
                        : job.weights + panels.first_vector(panel) * panels.c0 +
                              piece.depth_begin * job.weight_row,
      .weight_stride = packed ? width : job.weight_row,
      .dst_row_stride = job.dst_row_stride,
      .dst_vector_stride = job.dst_vector_stride,
      .lanes = job.lanes,
      .bias = job.bias == nullptr ? nullptr : job.bias + panels.first_vector(panel) * panels.c0,
      .epilogue = job.epilogue,
      .finish = last,
      .zero_tail = job.zero_tail,
      .tail_lanes = panels.tail_lanes(panel)};
  const RowRef* refs = rows.refs + piece.first_tap * rows.tap_stride;
  const int64_t tiles = DivideUp(rows.rows, job.tiles->max_rows[vectors]);
  const int64_t base = rows.rows / tiles, extra = rows.rows % tiles;
  const bool hook = last && job.epilogue->hook.apply != nullptr;
  const int64_t next_width =
      packed && panel + 1 < panels.count() ? panels.panel_vectors(panel + 1) * panels.c0 : 0;
  const int64_t next_terms = piece.taps * (piece.blocks * piece.length - piece.missing);
  const float* next = next_width == 0 ? nullptr
                                      : job.weights + panels.offset(panel + 1, depth) +
                                            piece.depth_begin * next_width;
  // The next panel comes from beyond the second-level cache when the weights are large.
  const int64_t next_lines = next_terms * next_width / kLineFloats;
  const int64_t requests = std::max<int64_t>(next_terms / kTermsPerRequest, 1) * tiles;
  args.next_lines = DivideUp(next_lines, requests);
  const float* init = first ? rows.residual : rows.dst;
  int64_t hooked = 0;
  for (int64_t t = 0, row = 0; t < tiles; ++t) {
    const int64_t count = base + (t < extra ? 1 : 0);
    args.rows = refs + row;
    args.dst = rows.dst + row * job.dst_row_stride + vector_offset;
    args.init = init == nullptr ? nullptr : init + row * job.dst_row_stride + vector_offset;
    args.prefetch = fresh_rows && t + 1 < tiles ? refs[row + count].data - refs[row].data : 0;
    if (first) {
      PrefetchTile<true>(job, args.dst, count, vectors);
      if (args.init != nullptr && t + 1 < tiles) {
        PrefetchTile<false>(job, args.init + count * job.dst_row_stride, count, vectors);
      }
    }
    if (next_width > 0) args.next_weights = next + next_lines * t / tiles * kLineFloats;
    job.tiles->tile[vectors][count](args);
    row += count;
    if (hook && (row - hooked >= kHookRows || t + 1 == tiles)) {
      CallHook(job, rows, panel, {hooked, row});
      hooked = row;
    }
  }
}

}  // namespace

SumPiece SumShape::piece(int64_t index) const {
  const int64_t block_pieces = DivideUp(blocks, blocks_each);
  SumPiece piece;
  piece.first_tap = index / block_pieces * taps_each;
  piece.taps = std::min(taps_each, taps - piece.first_tap);
  piece.first_block = index % block_pieces * blocks_each;
  piece.blocks = std::min(blocks_each, blocks - piece.first_block);
  piece.length = length;
  piece.missing = piece.first_block + piece.blocks == blocks ? missing : 0;
  piece.depth_begin = piece.first_tap * (blocks * length - missing) + piece.first_block * length;
  return piece;
}

SumShape ContiguousSum(int64_t depth) {
  if (depth == 0) return {.length = 0};
  const int64_t pieces = std::max<int64_t>(DivideUp(depth, kPieceDepth), 1);
  const int64_t length = DivideUp(DivideUp(depth, pieces), 16) * 16;
  SumShape sum;
  sum.blocks = std::max<int64_t>(DivideUp(depth, length), 1);
  sum.length = length;
  sum.missing = sum.blocks * length - depth;
  return sum;
}

SumShape TappedSum(int64_t taps, int64_t terms, int64_t length) {
  const int64_t blocks = DivideUp(terms, length);
  SumShape sum{
      .taps = taps, .blocks = blocks, .length = length, .missing = blocks * length - terms};
  if (taps == 0) return sum;
  const int64_t most_blocks = std::max<int64_t>(kPieceDepth / length, 1);
  sum.blocks_each = DivideUp(blocks, DivideUp(blocks, most_blocks));
  if (sum.blocks_each == blocks) {
    const int64_t most_taps = std::max<int64_t>(kPieceDepth / (blocks * length), 1);
    sum.taps_each = DivideUp(taps, DivideUp(taps, most_taps));
  }
  return sum;
}

int64_t RowsPerBlock(const SumShape& shape) {
  const int64_t piece = shape.blocks_each * shape.length;
  return std::clamp<int64_t>(kBlockFloats / std::max<int64_t>(piece, 1), 48, 240);
}

void RunTiles(const SumJob& job, const RowBlock& rows, Range panels) {
  if (rows.rows == 0) return;
  // A sum without terms still has results: bias, residual and activation of zero.
  const int64_t pieces = std::max<int64_t>(job.sum.pieces(), 1);
  for (int64_t i = 0; i < pieces; ++i) {
    const SumPiece piece = job.sum.piece(i);
    for (int64_t panel = panels.begin; panel < panels.end; ++panel) {
      const bool fresh_rows = panel == panels.begin && piece.blocks > 1;
      RunPanel(job, piece, rows, panel, i == 0, i + 1 == pieces, fresh_rows);
    }
  }
}

void RunSkinnyTiles(const SumJob& job, Isa isa, const RowBlock& rows, Range panels) {
  const SkinnyTable& table = *GetSkinnyTable(isa);
  TileTable tiles = {};
  for (int v = 1; v <= kMaxTileVectors; ++v) {
    tiles.max_rows[v] = kMaxSkinnyRows;
    for (int r = 1; r <= kMaxSkinnyRows; ++r) tiles.tile[v][r] = table.fn[v][r];
  }
  SumJob whole = job;
  // One piece however long: skinny kernels do not continue from sums in dst.
  whole.sum = {.length = job.sum.depth()};
  whole.tiles = &tiles;
  RunTiles(whole, rows, panels);
}

void FinishTiles(const SumJob& job, const RowBlock& rows, Range panels) {
  const SumPiece nothing = {};
  for (int64_t panel = panels.begin; panel < panels.end; ++panel) {
    RunPanel(job, nothing, rows, panel, false, true, false);
  }
}

void ApplyHook(const SumJob& job, const RowBlock& rows, Range panels) {
  if (job.epilogue->hook.apply == nullptr) return;
  for (int64_t begin = 0; begin < rows.rows; begin += kHookRows) {
    const Range range = {begin, std::min(begin + kHookRows, rows.rows)};
    for (int64_t panel = panels.begin; panel < panels.end; ++panel) {
      CallHook(job, rows, panel, range);
    }
  }
}

double TileCycles(double terms, int c0) { return terms / 16.0 * (c0 <= 8 ? 1.1 : 1.03); }

double StreamCycles(double floats) {
  constexpr double kSecondLevel = 128 << 10, kThirdLevel = 4 << 20;
  if (floats <= kSecondLevel) return floats / 8.0;
  return floats / (floats <= kThirdLevel ? 5.0 : 1.5);
}

GridShare ShareGrid(int64_t rows, int64_t row_grain, int64_t panels, Part part) {
  int64_t best_cost = std::numeric_limits<int64_t>::max();
  int32_t row_parts = part.count, panel_parts = 1;
  for (int32_t p = 1; p <= part.count; ++p) {
    const int32_t r = part.count / p;
    // Tiles are balanced, so n rows cost about n; fewer than four do not hide the latency of the
    // sums.
    const int64_t share_rows =
        std::max<int64_t>(DivideUp(DivideUp(rows, row_grain), r) * row_grain, 4);
    const int64_t cost = share_rows * DivideUp(panels, p);
    if (cost < best_cost) {
      best_cost = cost;
      row_parts = r;
      panel_parts = p;
    }
  }
  if (part.index >= row_parts * panel_parts) return {};
  return {.rows = PartRange(rows, row_grain, {part.index / panel_parts, row_parts}),
          .panels = PartRange(panels, 1, {part.index % panel_parts, panel_parts})};
}

}  // namespace cairn::kernels
