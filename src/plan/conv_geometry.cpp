// SPDX-License-Identifier: Apache-2.0
// Windows of nodes.
#include "plan/conv_geometry.h"

#include <algorithm>
#include <span>

#include "ops/nn/window.h"

namespace cairn::plan {

std::optional<WindowAttributes> ReadWindowAttributes(const Node& node, const Shape& input,
                                                     const Shape& kernel) {
  if (input.size() < 3) return std::nullopt;
  const Ints given = node.GetInts("kernel_shape");
  auto window = ReadWindow(node, given.empty() ? kernel : given);
  if (!window.ok()) return std::nullopt;
  auto axes = ResolveWindow(*window, std::span<const int64_t>(input).subspan(2));
  if (!axes.ok()) return std::nullopt;
  WindowAttributes result{window->kernel, window->strides, window->dilations, {}};
  for (const WindowAxis& axis : *axes) result.pads.push_back(axis.pad_begin);
  for (const WindowAxis& axis : *axes) result.pads.push_back(axis.pad_end);
  return result;
}

std::optional<WindowAttributes> ReadTransposedWindow(const Node& node, const Shape& input,
                                                     const Shape& output, const Shape& kernel) {
  const size_t count = input.size() - 2;
  const Ints given = node.GetInts("kernel_shape");
  auto window = ReadWindow(node, given.empty() ? kernel : given);
  if (!window.ok() || window->rank() != count) return std::nullopt;
  WindowAttributes result{window->kernel, window->strides, window->dilations, Ints(2 * count, 0)};
  const Ints extra = node.GetInts("output_padding");
  const bool same =
      window->auto_pad == AutoPad::kSameUpper || window->auto_pad == AutoPad::kSameLower;
  for (size_t i = 0; i < count; ++i) {
    if (!same && node.GetInts("output_shape").empty()) {
      if (window->auto_pad == AutoPad::kNotSet) result.pads[i] = window->pads[i];
      continue;
    }
    // onnx:ConvTranspose pads follow from the output size; the smaller half comes first for
    // SAME_UPPER.
    const int64_t full = window->strides[i] * (input[2 + i] - 1) + (extra.empty() ? 0 : extra[i]) +
                         window->extent(i);
    const int64_t total = std::max<int64_t>(0, full - output[2 + i]);
    result.pads[i] = window->auto_pad == AutoPad::kSameUpper ? total / 2 : total - total / 2;
  }
  return result;
}

void SetWindow(const WindowAttributes& window, bool with_kernel, TaskAttributes& attributes) {
  auto differs = [](const std::vector<int64_t>& list, int64_t neutral) {
    return std::any_of(list.begin(), list.end(), [=](int64_t v) { return v != neutral; });
  };
  if (with_kernel) attributes["kernel_shape"] = window.kernel;
  if (differs(window.strides, 1)) attributes["strides"] = window.strides;
  if (differs(window.dilations, 1)) attributes["dilations"] = window.dilations;
  if (differs(window.pads, 0)) attributes["pads"] = window.pads;
}

std::array<int64_t, 3> ToSpatial(const std::vector<int64_t>& list, size_t first, size_t count,
                                 int64_t fill) {
  std::array<int64_t, 3> spatial = {fill, fill, fill};
  for (size_t i = 0; i < count && i < 3; ++i) spatial[3 - count + i] = list[first + i];
  return spatial;
}

}  // namespace cairn::plan
