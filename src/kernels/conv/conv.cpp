// SPDX-License-Identifier: Apache-2.0
// Chooses the form of a convolution, packs its weights and estimates its cost.
#include "kernels/conv/conv.h"

#include <algorithm>

#include "kernels/conv/conv_shape.h"

namespace cairn::kernels {
namespace {

/// Terms of one output element, ordered by tap, then by channel, in every form.
int64_t Depth(const ConvShape& shape) { return shape.taps * shape.group_in; }

/// Writes [term][width] for the output channels from `first` on, `valid` of them existing; returns
/// the end.
float* PackColumns(const ConvShape& shape, const float* weights, int64_t first, int64_t valid,
                   int64_t width, float* packed) {
  const int64_t depth = Depth(shape);
  const float* column = weights + first * depth;
  for (int64_t tap = 0; tap < shape.taps; ++tap) {
    for (int64_t channel = 0; channel < shape.group_in; ++channel, packed += width) {
      const float* from = column + channel * shape.taps + tap;
      for (int64_t n = 0; n < valid; ++n) packed[n] = from[n * depth];
      std::fill(packed + valid, packed + width, 0.0f);
    }
  }
  return packed;
}

}  // namespace

bool ConvPermutesLanes(const ConvParams& params) {
  const ConvShape shape(params);
  return params.group > 1 && !params.plain_src && shape.group_out < shape.c0 &&
         shape.c0 % shape.group_out == 0 && shape.c0 % shape.group_in == 0 &&
         shape.group_in <= shape.group_out;
}

bool ConvGathers(const ConvParams& params) {
  const ConvShape shape(params);
  return params.plain_src || (!ConvPermutesLanes(params) && params.group > 1 &&
                              (shape.group_in % shape.c0 != 0 || shape.group_out % shape.c0 != 0));
}

bool ConvIsProduct(const ConvParams& params) {
  return params.group == 1 && !params.plain_src && Volume(params.in) == 1 &&
         Volume(params.out) == 1 && Volume(params.kernel) == 1;
}

SumShape ConvSum(const ConvParams& params) {
  const ConvShape shape(params);
  if (ConvIsProduct(params)) return ContiguousSum(params.in_channels);
  if (ConvPermutesLanes(params)) return TappedSum(shape.taps, shape.group_in, shape.group_in);
  if (!ConvGathers(params)) {
    return TappedSum(shape.taps, shape.group_in, shape.c0);
  }
  // The taps of a kernel row are adjacent in a gathered line unless dilated.
  const int64_t width = params.dilation[2] == 1 ? params.kernel[2] : 1;
  return TappedSum(shape.taps / width, width * shape.group_in, width * shape.group_in);
}

SumJob ConvJob(const ConvParams& params) {
  const ConvShape shape(params);
  return {.tiles = GetTileTable(params.isa),
          .panels = shape.panels,
          .sum = ConvSum(params),
          .epilogue = &params.epilogue,
          .dst_row_stride = shape.c0,
          .dst_vector_stride = shape.out_pixels * shape.c0,
          .zero_tail = true};
}

int64_t ConvPackedFloats(const ConvParams& params) {
  const ConvShape shape(params);
  if (ConvPermutesLanes(params)) return shape.out_blocks * shape.c0 * Depth(shape);
  return params.group * shape.panels.packed_floats(Depth(shape));
}

void PackConv(const ConvParams& params, const float* weights, float* packed) {
  const ConvShape shape(params);
  if (ConvPermutesLanes(params)) {
    for (int64_t block = 0; block < shape.out_blocks; ++block) {
      const int64_t first = block * shape.c0;
      const int64_t valid = std::min<int64_t>(shape.c0, params.out_channels - first);
      packed = PackColumns(shape, weights, first, valid, shape.c0, packed);
    }
    return;
  }
  for (int64_t g = 0; g < params.group; ++g) {
    for (int64_t p = 0; p < shape.panels.count(); ++p) {
      const int64_t first = shape.panels.first_vector(p) * shape.c0;
      const int64_t width = shape.panels.panel_vectors(p) * shape.c0;
      const int64_t valid = std::min(width, shape.group_out - first);
      packed = PackColumns(shape, weights, g * shape.group_out + first, valid, width, packed);
    }
  }
}

size_t ConvWorkspaceBytes(const ConvParams& params, int num_parts) {
  return ConvGathers(params) ? GatheredConvWorkspaceBytes(params, num_parts)
                             : BlockedConvWorkspaceBytes(params, num_parts);
}

int ConvPhases(const ConvParams& /*params*/) { return 1; }

void RunConv(const ConvParams& params, const ConvBuffers& buffers, int /*phase*/, Part part) {
  if (ConvGathers(params)) {
    RunGatheredConv(params, buffers, part);
  } else {
    RunBlockedConv(params, buffers, part);
  }
}

double EstimateConvCycles(const ConvParams& params) {
  const ConvShape shape(params);
  const double rows = static_cast<double>(params.batch * shape.out_pixels);
  const bool permutes = ConvPermutesLanes(params);
  const double vectors =
      static_cast<double>(permutes ? shape.out_blocks : params.group * shape.panels.vectors());
  const double terms = rows * static_cast<double>(Depth(shape)) * vectors * shape.c0;
  // A lane permutation takes as long as an AVX2 multiply-add pair.
  const double compute = TileCycles(terms, shape.c0) * (permutes ? 2.0 : 1.0);
  const double row_refs = rows * static_cast<double>(shape.taps) *
                          static_cast<double>(permutes ? shape.out_blocks : params.group) * 1.5;
  // Measured: rows of a plain source are interleaved at some four elements a cycle.
  const double per_element = params.plain_src ? 0.25 : 1.0;
  const double gathered = ConvGathers(params)
                              ? per_element *
                                    static_cast<double>(params.batch * params.in_channels) *
                                    shape.in_pixels * params.kernel[1] / params.stride[1]
                              : 0.0;
  const double weight_stream = StreamCycles(static_cast<double>(ConvPackedFloats(params)));
  return std::max(compute, weight_stream) + row_refs + gathered + 500.0;
}

}  // namespace cairn::kernels
