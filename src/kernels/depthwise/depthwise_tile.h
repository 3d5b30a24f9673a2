// SPDX-License-Identifier: Apache-2.0
// The register tile of depthwise convolution: one or two output rows x up to seven columns of one
// channel block.
#pragma once

#include <cstdint>

#include "kernels/epilogue.h"
#include "kernels/isa.h"

namespace cairn::kernels {

/// Output columns of a tile that a kernel column reaches inside the source: begin <= x < end.
struct ColumnRange {
  int32_t begin;
  int32_t end;
};

/// Consecutive tiles below one another.
struct DepthwiseTileArgs {
  const float* src;      ///< One channel block of one image.
  const int64_t* lines;  ///< [rows][kernel_lines]: offsets of source rows, negative for padding.
  int64_t rows;          ///< Output rows, a multiple of the tile's.
  int64_t kernel_lines;  ///< Kernel planes x kernel rows.
  int64_t kernel_width;
  const ColumnRange* columns;  ///< [kernel_width]; general tiles only.
  int64_t first_column;  ///< Source column of output column 0, kernel column 0; may be padding.
  int64_t source_width;
  int64_t tap_columns;    ///< Source columns from one kernel column to the next.
  int64_t pixel_columns;  ///< Source columns from one output column to the next.
  const float* weights;   ///< [kernel_lines][kernel_width][c0]
  float* dst;
  int64_t dst_line_stride;
  const float* init;  ///< Strides of dst; or null.
  const float* bias;  ///< c0 values; or null.
  const Epilogue* epilogue;
  int32_t tail_lanes;  ///< Valid channels, 1..c0; the other lanes are written as zeros.
};

using DepthwiseTileFn = void (*)(const DepthwiseTileArgs& args);

inline constexpr int kGeneralRows = 2;
inline constexpr int kGeneralColumns = 7;
inline constexpr int kRowColumns = 10;

struct DepthwiseTable {
  /// general[r][x]: r rows x x columns of any kernel.
  DepthwiseTileFn general[kGeneralRows + 1][kGeneralColumns + 1];
  /// row3[s][x], row5[s][x]: one row x x columns, kernel width 3 or 5, column stride s, not
  /// dilated.
  DepthwiseTileFn row3[3][kRowColumns + 1];
  DepthwiseTileFn row5[3][kRowColumns + 1];
};

/// Null when this build has no kernels for `isa`.
const DepthwiseTable* GetDepthwiseTable(Isa isa);

}  // namespace cairn::kernels
