// SPDX-License-Identifier: Apache-2.0
// Sliding windows of convolution and pooling: attributes of a task, checked.
#pragma once

#include <array>
#include <cstdint>

#include "schedule/kernel_binding.h"

namespace cairn::schedule {

using Spatial =
    std::array<int64_t, 3>;  ///< Depth, height, width; missing ones in front are neutral.

/// Attributes `kernel_shape`, `strides`, `dilations`, `pads` (begins, then ends) of one to three
/// spatial axes. Sizes are positive and at most 2^24, pads may not be negative.
struct Window {
  Spatial kernel = {1, 1, 1}, stride = {1, 1, 1}, dilation = {1, 1, 1};
  Spatial pad_begin = {0, 0, 0}, pad_end = {0, 0, 0};

  /// Output size by the formula of the standard, or less than 1 when the window does not fit.
  int64_t OutputSize(int axis, int64_t input, bool ceil_mode) const;
};

/// Reads the window over the spatial axes of `input` (all but the first two); `kernel` is the size
/// of the window when the weights give it, else it is read from `kernel_shape`.
Result<Window> ReadWindow(const BindContext& context, const ProgramTensor& input,
                          const std::vector<int64_t>* kernel);

/// The spatial dims of a tensor of rank 3 to 5.
Spatial SpatialDims(const ProgramTensor& tensor);

}  // namespace cairn::schedule
