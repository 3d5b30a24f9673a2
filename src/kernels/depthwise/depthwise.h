// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution, one filter per channel, on blocked layouts (see conv.h), any kernel,
// stride, dilation and padding of rank 1 to 3.
#pragma once

#include "kernels/conv/conv.h"

namespace cairn::kernels {

/// True for group == in_channels == out_channels and a blocked source.
bool DepthwiseSupports(const ConvParams& params);

/// Floats of the packed weights, and packing of [channels, 1, kernel...].
int64_t DepthwisePackedFloats(const ConvParams& params);
void PackDepthwise(const ConvParams& params, const float* weights, float* packed);

/// As their namesakes of conv.h.
size_t DepthwiseWorkspaceBytes(const ConvParams& params, int num_parts);
int DepthwisePhases(const ConvParams& params);
void RunDepthwise(const ConvParams& params, const ConvBuffers& buffers, int phase, Part part);

/// Rough cycles of one core: one load and one multiply-add per tap, or the traffic of both tensors.
double EstimateDepthwiseCycles(const ConvParams& params);

}  // namespace cairn::kernels
