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

struct DepthwiseTileArgs {
  const float* const*
      lines;             ///< [kernel rows][tile rows]: source rows, null where there is padding.
  int64_t kernel_lines;  ///< Kernel planes x kernel rows.
  int64_t kernel_width;
  const ColumnRange* columns;  ///< [kernel_width]
  int64_t column_offset;  ///< Floats from a line to the source of output column 0, kernel column 0.
  int64_t tap_step;       ///< Floats from one kernel column to the next.
  int64_t pixel_step;     ///< Floats from the source of one output column to the next.
  const float* weights;   ///< [kernel_lines][kernel_width][c0]
  float* dst;
  int64_t dst_line_stride;
  const float* init;  ///< Strides of dst; or null.
  const float* bias;  ///< c0 values; or null.
  const Epilogue* epilogue;
  int32_t tail_lanes;  ///< Valid channels, 1..c0; the other lanes are written as zeros.
};

using DepthwiseTileFn = void (*)(const DepthwiseTileArgs& args);

inline constexpr int kDepthwiseRows = 2;
inline constexpr int kDepthwiseColumns = 7;

/// tile[s][r][x]: r rows x x columns with a column stride of s, or of any size for s = 0.
struct DepthwiseTable {
  DepthwiseTileFn tile[3][kDepthwiseRows + 1][kDepthwiseColumns + 1];
};

/// Null when this build has no kernels for `isa`.
const DepthwiseTable* GetDepthwiseTable(Isa isa);

}  // namespace cairn::kernels
