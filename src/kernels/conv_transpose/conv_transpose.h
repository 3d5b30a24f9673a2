// SPDX-License-Identifier: Apache-2.0
// f32 transposed convolution of rank 1 to 3 on blocked layouts (see conv.h), any kernel, stride,
// dilation, padding, output padding and group.
//
// dst[o, y] = sum over c, k with (y + pad - k * dilation) divisible by stride of
//             src[c, (y + pad - k * dilation) / stride] * weights[c, o, k].
// Output pixels with the same remainder of (y + pad) by the stride use the same taps: each such set
// is an ordinary convolution of stride 1.
#pragma once

#include "kernels/conv/conv.h"

namespace cairn::kernels {

/// ConvParams with `in` and `out` being those of the transposed convolution; plain_src must be
/// false.
int64_t ConvTransposePackedFloats(const ConvParams& params);
/// Packs weights [in_channels, out_channels / group, kernel...].
void PackConvTranspose(const ConvParams& params, const float* weights, float* packed);

/// As their namesakes of conv.h.
size_t ConvTransposeWorkspaceBytes(const ConvParams& params, int num_parts);
int ConvTransposePhases(const ConvParams& params);
void RunConvTranspose(const ConvParams& params, const ConvBuffers& buffers, int phase, Part part);

/// Rough cycles of one core: the multiply-adds at the rate of full tiles plus the row references.
double EstimateConvTransposeCycles(const ConvParams& params);

}  // namespace cairn::kernels
