// SPDX-License-Identifier: Apache-2.0
// Sliding windows: the attributes that convolutions and pools share, and what follows from them.
#pragma once

#include <span>
#include <vector>

#include "ops/op_def.h"

namespace cairn {

enum class AutoPad : uint8_t { kNotSet, kSameUpper, kSameLower, kValid };

/// Attributes of a window, one entry per spatial axis; `pads` holds all begins, then all ends.
struct Window {
  Ints kernel, strides, dilations, pads;
  AutoPad auto_pad = AutoPad::kNotSet;
  bool ceil_mode = false;

  size_t rank() const { return kernel.size(); }
  /// Distance from the first to the last tap, plus one.
  int64_t extent(size_t axis) const { return dilations[axis] * (kernel[axis] - 1) + 1; }
};

/// One spatial axis of a window over a concrete input.
struct WindowAxis {
  int64_t in = 0, out = 0, kernel = 1, stride = 1, dilation = 1;
  int64_t pad_begin = 0, pad_end = 0;
};

/// Reads `strides`, `dilations`, `pads`, `auto_pad` and `ceil_mode` of `node`, absent ones with
/// their defaults, and checks them against `kernel` (all of its rank; strides and dilations
/// positive, pads not negative). `pads` are ignored unless `auto_pad` is NOTSET.
Result<Window> ReadWindow(const Node& node, Ints kernel);
/// `auto_pad` of `node`.
Result<AutoPad> ReadAutoPad(const Node& node);
/// Adds the definitions of `auto_pad`, `dilations`, `pads` and `strides`.
OpDef& AddWindowAttrs(OpDef& def);

/// Output size along `axis`. Without auto_pad: floor((in + pads - extent) / stride) + 1; in ceil
/// mode the division rounds up, but no window starts behind the padded begin and the input. SAME:
/// ceil(in / stride). VALID: as without pads. Fails for a constant size that is negative.
Result<Dim> WindowOutputDim(const Window& window, size_t axis, const Dim& in);
/// Output sizes for all spatial dims.
Result<Dims> WindowOutputDims(const Window& window, std::span<const Dim> in);
/// The geometry over concrete spatial sizes, with auto_pad resolved.
Result<std::vector<WindowAxis>> ResolveWindow(const Window& window, std::span<const int64_t> in);

/// The positions [begin, end) of a window whose tap `k` along one axis lies inside the input.
struct TapRange {
  int64_t begin = 0, end = 0;
  int64_t shift = 0;  ///< Place of the tap = position * stride + shift.
};
TapRange PositionsOfTap(const WindowAxis& axis, int64_t k);

}  // namespace cairn
