// SPDX-License-Identifier: Apache-2.0
// Windows of nodes.
#include "plan/conv_geometry.h"

#include <algorithm>

namespace cairn::plan {

std::optional<WindowAttributes> ReadWindowAttributes(const Node& node, const Shape& input,
                                                     const Shape& output, const Shape& kernel) {
  if (input.size() < 3 || input.size() != output.size()) return std::nullopt;
  const size_t count = input.size() - 2;
  WindowAttributes window;
  window.kernel = node.GetInts("kernel_shape", kernel);
  window.strides = node.GetInts("strides", Ints(count, 1));
  window.dilations = node.GetInts("dilations", Ints(count, 1));
  window.pads = node.GetInts("pads", Ints(2 * count, 0));
  if (window.kernel.empty()) window.kernel = kernel;
  if (window.strides.empty()) window.strides.assign(count, 1);
  if (window.dilations.empty()) window.dilations.assign(count, 1);
  if (window.pads.empty()) window.pads.assign(2 * count, 0);
  if (window.kernel.size() != count || window.strides.size() != count ||
      window.dilations.size() != count || window.pads.size() != 2 * count) {
    return std::nullopt;
  }
  const std::string auto_pad = node.GetString("auto_pad", "NOTSET");
  if (auto_pad == "VALID") window.pads.assign(2 * count, 0);
  if (auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER") {
    for (size_t i = 0; i < count; ++i) {
      const int64_t reach = (window.kernel[i] - 1) * window.dilations[i] + 1;
      const int64_t total = std::max<int64_t>(
          0, (output[2 + i] - 1) * window.strides[i] + reach - input[2 + i]);
      const int64_t begin = auto_pad == "SAME_UPPER" ? total / 2 : total - total / 2;
      window.pads[i] = begin;
      window.pads[count + i] = total - begin;
    }
  }
  if (std::any_of(window.pads.begin(), window.pads.end(), [](int64_t p) { return p < 0; })) {
    return std::nullopt;
  }
  return window;
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
