// SPDX-License-Identifier: Apache-2.0
// The arithmetic of convolutions, shared by the float, integer and quantized operators.
#pragma once

#include <functional>
#include <vector>

#include "ops/nn/window.h"

namespace cairn {

/// Sizes of a grouped convolution of x [batch, in_channels, spatial...] with weights
/// [out_channels, in_channels / groups, kernel...].
struct ConvGeometry {
  int64_t batch = 0, in_channels = 0, out_channels = 0, groups = 1;
  std::vector<WindowAxis> axes;  ///< At least one.

  int64_t in_plane() const;      ///< Product of the spatial input sizes.
  int64_t out_plane() const;     ///< Product of the spatial output sizes.
  int64_t kernel_plane() const;  ///< Product of the kernel sizes.
  Shape OutputShape() const;
};

/// Output 0: [N, M, spatial...] of `dtype`, for x = input `x` and weights = input `w`, as far as
/// known.
Status InferConvOutput(InferContext& in, size_t x, size_t w, ElementType dtype);

/// Attribute `group`, at least 1.
Result<int64_t> ReadGroups(const Node& node);
/// The geometry of `node` over concrete shapes of x and weights.
Result<ConvGeometry> ResolveConv(const Node& node, const Shape& x, const Shape& w);

/// Receives the finished plane [spatial...] of output channel `channel` of sample `n`.
using PlaneSink = std::function<void(int64_t n, int64_t channel, const std::vector<double>& plane)>;
/// Cross-correlation in double: padding contributes 0. Sums start from 0, in the order channel,
/// kernel position.
void Convolve(const ConvGeometry& geometry, const std::vector<double>& x,
              const std::vector<double>& w, const PlaneSink& sink);

}  // namespace cairn
