// SPDX-License-Identifier: Apache-2.0
// The window of a convolution or pooling node as lists of its spatial axes.
#pragma once

#include <vector>

#include "executable/program.h"
#include "ir/graph.h"

namespace cairn::plan {

struct WindowAttributes {
  std::vector<int64_t> kernel, strides, dilations, pads;  ///< Pads: begins, then ends.
};

/// Reads kernel_shape (or `kernel`, the dims of the weights), strides, dilations, pads and auto_pad
/// of a node with an input of `input` dims; nothing when they contradict each other.
std::optional<WindowAttributes> ReadWindowAttributes(const Node& node, const Shape& input,
                                                     const Shape& kernel);

/// As above for ConvTranspose. The pads at the ends are left 0: the output's dims say it all.
std::optional<WindowAttributes> ReadTransposedWindow(const Node& node, const Shape& input,
                                                     const Shape& output, const Shape& kernel);

/// The attributes as binders read them; neutral ones are left out.
void SetWindow(const WindowAttributes& window, bool with_kernel, TaskAttributes& attributes);

/// The last three entries of `list`, `fill` in front.
std::array<int64_t, 3> ToSpatial(const std::vector<int64_t>& list, size_t first, size_t count,
                                 int64_t fill);

}  // namespace cairn::plan
