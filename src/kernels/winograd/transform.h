// SPDX-License-Identifier: Apache-2.0
// The transforms of Winograd convolution on rows of tiles.
#pragma once

#include <cstdint>

#include "kernels/epilogue.h"
#include "kernels/isa.h"

namespace cairn::kernels {

/// A row of adjacent tiles of one channel block of a source image.
struct WinogradSourceRow {
  const float* plane;  ///< [height][width][c0]
  int64_t height;
  int64_t width;
  int64_t y;  ///< Source position of the first tile's window; what lies outside is zero.
  int64_t x;
  int64_t tiles;
  float* points;  ///< Point p of tile t goes to points[p * point_stride + t * c0].
  int64_t point_stride;
};

/// A row of adjacent tiles of one channel block of a result.
struct WinogradResultRow {
  const float* points;  ///< As above.
  int64_t point_stride;
  int64_t tiles;
  float* dst;             ///< Pixel (0, 0) of the first tile.
  const float* residual;  ///< Likewise, or null.
  int64_t width;          ///< Pixels of a row of the result.
  int64_t rows;           ///< Rows and columns that exist from the first tile's corner on.
  int64_t columns;
  const float* bias;  ///< c0 values; or null.
  const Epilogue* epilogue;
  int32_t tail_lanes;  ///< Valid channels, 1..c0; the other lanes are written as zeros.
};

struct WinogradTransforms {
  void (*source)(const WinogradSourceRow& row);
  void (*result)(const WinogradResultRow& row);
};

/// The transforms for tiles of 2 or 4; null members when this build has no kernels for `isa`.
WinogradTransforms GetWinogradTransforms(Isa isa, int tile);

}  // namespace cairn::kernels
