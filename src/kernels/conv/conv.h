// SPDX-License-Identifier: Apache-2.0
// f32 convolution of rank 1 to 3 by register tiles over rows of pixels, any kernel, stride,
// dilation, padding and group.
//
// Layouts: blocked [batch, ceil(channels / c0), D, H, W, c0], c0 = VectorFloats(isa), where lanes
// beyond the last channel are zeros (expected in the source, written to the result); plain
// [batch, channels, D, H, W]. Rank 1 is D = H = 1, rank 2 is D = 1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/epilogue.h"
#include "kernels/isa.h"
#include "kernels/part.h"

namespace cairn::kernels {

using Spatial = std::array<int64_t, 3>;  ///< Depth, height, width.

struct ConvParams {
  Isa isa = Isa::kAvx2;
  int64_t batch = 1;
  int64_t in_channels = 1;
  int64_t out_channels = 1;
  int64_t group = 1;
  Spatial in = {1, 1, 1};
  Spatial out = {1, 1, 1};
  Spatial kernel = {1, 1, 1};
  Spatial stride = {1, 1, 1};
  Spatial dilation = {1, 1, 1};
  Spatial pad_begin = {0, 0, 0};  ///< Padding after the end follows from `out`.
  bool plain_src = false;         ///< The source is plain; the result is always blocked.
  Epilogue epilogue;
};

/// `bias` has one value per output channel, padded with zeros to a multiple of c0; `residual` has
/// the layout of `dst` and may be `dst` itself. Both may be null. Nothing else overlaps `dst`.
struct ConvBuffers {
  const float* src = nullptr;
  const float* weights = nullptr;
  const float* bias = nullptr;
  const float* residual = nullptr;
  float* dst = nullptr;
  void* workspace = nullptr;
};

/// Floats of the packed weights.
int64_t ConvPackedFloats(const ConvParams& params);
/// Packs weights [out_channels, in_channels / group, kernel...]; any host packs for any isa.
void PackConv(const ConvParams& params, const float* weights, float* packed);

/// Bytes that the buffers' 64-byte aligned workspace must have for `num_parts` shares.
size_t ConvWorkspaceBytes(const ConvParams& params, int num_parts);
int ConvPhases(const ConvParams& params);
/// Computes one share of one phase. All shares of a phase must end before the next begins.
void RunConv(const ConvParams& params, const ConvBuffers& buffers, int phase, Part part);

/// Rough cycles of one core: multiply-adds including unused lanes at the rate of full tiles, plus
/// the gathering of rows and the streaming of weights that exceed the second-level cache.
double EstimateConvCycles(const ConvParams& params);

}  // namespace cairn::kernels
