// SPDX-License-Identifier: Apache-2.0
// Runs register tiles over a block of rows and a range of panels.
#pragma once

#include <cstdint>

#include "kernels/matmul/panels.h"
#include "kernels/matmul/tile.h"
#include "kernels/part.h"

namespace cairn::kernels {

/// A part of a sum that is computed without leaving the registers: a rectangle of taps and blocks.
struct SumPiece {
  int64_t first_tap;
  int64_t taps;
  int64_t first_block;
  int64_t blocks;
  int64_t length;       ///< Terms of a block,
  int64_t missing;      ///< but for so many that the last one lacks.
  int64_t depth_begin;  ///< Terms before this piece, in the order of the packed weights.
};

/// The terms of a sum, taps x blocks x length, and how they are cut into pieces.
struct SumShape {
  int64_t taps = 1;
  int64_t blocks = 1;
  int64_t length = 1;       ///< Terms of a block,
  int64_t missing = 0;      ///< but for so many that the last one lacks.
  int64_t taps_each = 1;    ///< Taps of a piece, when blocks_each == blocks.
  int64_t blocks_each = 1;  ///< Blocks of a piece.

  int64_t depth() const { return taps * (blocks * length - missing); }
  int64_t pieces() const { return DivideUp(taps, taps_each) * DivideUp(blocks, blocks_each); }
  SumPiece piece(int64_t index) const;
};

/// `depth` consecutive terms.
SumShape ContiguousSum(int64_t depth);
/// `terms` terms for each tap, in blocks of `length`.
SumShape TappedSum(int64_t taps, int64_t terms, int64_t length);
/// Rows whose terms of one piece, together with weights and results, keep to the second-level
/// cache.
int64_t RowsPerBlock(const SumShape& shape);

/// What all tiles of one product have in common.
struct SumJob {
  const TileTable* tiles;
  Panels panels;
  SumShape sum;
  const float* weights;  ///< Packed; panels.packed_floats(sum.depth()) floats.
  int64_t weight_row =
      0;              ///< When positive, weights are not packed: floats from one row to the next.
  const float* bias;  ///< panels.vectors() * c0 floats, or null.
  const Epilogue* epilogue;
  int64_t dst_row_stride;
  int64_t dst_vector_stride;       ///< Distance of the channel vectors; c0 in row-major results.
  const int32_t* lanes = nullptr;  ///< See TileArgs.
  bool zero_tail;  ///< Blocked results: lanes beyond the last column are written as zeros.
};

/// A block of rows that lie dst_row_stride apart in dst.
struct RowBlock {
  const RowRef* refs;  ///< Row r of tap t is refs[t * tap_stride + r].
  int64_t tap_stride;
  int64_t rows;
  float* dst;             ///< Row 0, column 0 of the whole result's columns.
  const float* residual;  ///< Likewise, or null.
  int64_t row_index;      ///< Index of row 0 for the epilogue hook.
  int64_t col_index = 0;  ///< Index of the job's column 0, likewise.
};

/// Computes `rows` for the panels of `panels`.
void RunTiles(const SumJob& job, const RowBlock& rows, Range panels);

/// The same for at most kMaxSkinnyRows rows of consecutive terms, by the kernels of skinny.h.
void RunSkinnyTiles(const SumJob& job, Isa isa, const RowBlock& rows, Range panels);

/// Applies bias, residual, activation and hook to sums that already are in dst.
void FinishTiles(const SumJob& job, const RowBlock& rows, Range panels);

/// Applies the hook alone to results that already are in dst.
void ApplyHook(const SumJob& job, const RowBlock& rows, Range panels);

/// Asks for the `index`-th of `count` equal slices of an array that will be read soon.
inline void PrefetchSlice(const float* data, int64_t floats, int64_t index, int64_t count) {
  constexpr int64_t kLineFloats = 16;
  const int64_t lines = DivideUp(floats, kLineFloats);
  for (int64_t line = lines * index / count; line < lines * (index + 1) / count; ++line) {
    __builtin_prefetch(data + line * kLineFloats, 0, 2);
  }
}

/// Rough cycles of one core for multiply-adds in full tiles; AVX2 tiles load more per multiply-add.
double TileCycles(double terms, int c0);
/// Rough cycles to read floats once from the nearest cache that holds them all.
double StreamCycles(double floats);

/// A grid of row_parts x panel_parts <= count shares, and the ranges of one of them.
struct GridShare {
  Range rows;
  Range panels;
};

/// The share of `part` when `rows` x `panels` are cut into rectangles of about equal work, rows at
/// multiples of `row_grain`. Prefers cutting rows, which keeps a core on the same pixels from layer
/// to layer.
GridShare ShareGrid(int64_t rows, int64_t row_grain, int64_t panels, Part part);

}  // namespace cairn::kernels
