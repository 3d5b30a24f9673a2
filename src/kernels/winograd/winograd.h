// SPDX-License-Identifier: Apache-2.0
// Winograd convolution F(2x2, 3x3) and F(4x4, 3x3) on blocked layouts (see conv.h).
//
// Each output tile of tile x tile pixels is AT [(G g GT) . (BT d B)] A (Lavin and Gray, "Fast
// Algorithms for Convolutional Neural Networks", 2016); the product of the transforms is a matrix
// product per point. Error relative to the result's rms: about 5e-7 rms for tile 2 and 3e-6 for
// tile 4.
#pragma once

#include "kernels/conv/conv.h"

namespace cairn::kernels {

struct WinogradParams {
  ConvParams conv;
  int tile = 4;  ///< Output pixels per side of a tile, 2 or 4.
};

/// True for 3x3 kernels of stride 1 without dilation or groups on a blocked source.
bool WinogradSupports(const ConvParams& params);

/// Floats of the transformed weights, and the transformation of [out_channels, in_channels, 3, 3].
int64_t WinogradPackedFloats(const WinogradParams& params);
void PackWinograd(const WinogradParams& params, const float* weights, float* packed);

/// As their namesakes of conv.h.
size_t WinogradWorkspaceBytes(const WinogradParams& params, int num_parts);
int WinogradPhases(const WinogradParams& params);
void RunWinograd(const WinogradParams& params, const ConvBuffers& buffers, int phase, Part part);

/// Rough cycles of one core: the matrix products at the rate of full tiles or the streaming of
/// their weights, whichever is slower, plus about one cycle per transformed vector element group.
double EstimateWinogradCycles(const WinogradParams& params);

}  // namespace cairn::kernels
