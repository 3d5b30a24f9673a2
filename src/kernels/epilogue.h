// SPDX-License-Identifier: Apache-2.0
// What a convolution or matrix product does to its sums before they leave the cache.
#pragma once

#include <cstdint>
#include <limits>

namespace cairn::kernels {

enum class Activation : uint8_t {
  kNone = 0,
  kClip = 1,       ///< min(max(x, low), high); Relu is low = 0, high = infinity. NaN stays NaN.
  kHardSwish = 2,  ///< x * min(max(x + 3, 0), 6) / 6.
};

/// Rows of a result that were just written and lie in the first-level cache.
/// Element (r, c) is data[r * row_stride + c]; blocked layouts pass one channel block at a time.
struct TileRegion {
  float* data;
  int64_t row_stride;
  int64_t rows;
  int64_t cols;  ///< Valid channels only: lanes beyond the last channel are not part of a region.
  int64_t row0;  ///< Index of the first row, counted over batch and pixels.
  int64_t col0;  ///< Index of the first channel.
};

/// A function applied in place to each region once its sums, bias, residual and activation are
/// done.
struct EpilogueHook {
  void (*apply)(const void* context, const TileRegion& region) = nullptr;
  const void* context = nullptr;
};

/// Applied in this order: + bias (when the buffers have one), + residual (likewise), activation,
/// hook.
struct Epilogue {
  Activation activation = Activation::kNone;
  float clip_low = -std::numeric_limits<float>::infinity();
  float clip_high = std::numeric_limits<float>::infinity();
  EpilogueHook hook;
};

}  // namespace cairn::kernels
