// SPDX-License-Identifier: Apache-2.0
// Derived sizes of a convolution, shared by its forms.
#pragma once

#include "kernels/conv/conv.h"
#include "kernels/matmul/tile_loop.h"

namespace cairn::kernels {

inline int64_t Volume(const Spatial& s) { return s[0] * s[1] * s[2]; }

struct ConvShape {
  explicit ConvShape(const ConvParams& params)
      : c0(VectorFloats(params.isa)),
        group_in(params.in_channels / params.group),
        group_out(params.out_channels / params.group),
        in_blocks(DivideUp(params.in_channels, c0)),
        out_blocks(DivideUp(params.out_channels, c0)),
        in_pixels(Volume(params.in)),
        out_pixels(Volume(params.out)),
        taps(Volume(params.kernel)),
        panels{group_out, c0} {}

  int c0;
  int64_t group_in, group_out;    ///< Channels of one group.
  int64_t in_blocks, out_blocks;  ///< Channel blocks of the blocked layouts.
  int64_t in_pixels, out_pixels;  ///< Of one image.
  int64_t taps;
  Panels panels;  ///< Of one group.
};

/// True when groups are narrower than a channel block but share its lanes evenly, and the source
/// channels of a result block lie in one source block: tiles permute lanes. Then a "group" of the
/// loops is a result block.
bool ConvPermutesLanes(const ConvParams& params);

/// True when rows are first gathered into pixel-major lines: a plain source, or groups whose
/// channels do not fill whole blocks. Otherwise tiles read the blocked source in place.
bool ConvGathers(const ConvParams& params);

/// True when both images have one pixel: the convolution is a matrix product.
bool ConvIsProduct(const ConvParams& params);

/// The terms of one output element, in the order of the packed weights.
SumShape ConvSum(const ConvParams& params);

/// Fills a job with everything but the weights and bias of a group.
SumJob ConvJob(const ConvParams& params);

size_t BlockedConvWorkspaceBytes(const ConvParams& params, int num_parts);
void RunBlockedConv(const ConvParams& params, const ConvBuffers& buffers, Part part);

size_t GatheredConvWorkspaceBytes(const ConvParams& params, int num_parts);
void RunGatheredConv(const ConvParams& params, const ConvBuffers& buffers, Part part);

}  // namespace cairn::kernels
