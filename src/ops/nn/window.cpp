// SPDX-License-Identifier: Apache-2.0
// Sliding windows: the attributes that convolutions and pools share, and what follows from them.
#include "ops/nn/window.h"

#include <algorithm>
#include <limits>

namespace cairn {
namespace {

/// Products of two such values and sums of them stay far inside int64.
constexpr int64_t kMaxValue = std::numeric_limits<int32_t>::max();

Status CheckList(const char* name, const Ints& values, size_t count, int64_t lowest) {
  if (values.size() != count) {
    return Status(Code::kInvalidModel,
                  StrCat("'", name, "' has ", values.size(), " values, expected ", count));
  }
  for (const int64_t value : values) {
    if (value < lowest || value > kMaxValue) {
      return Status(Code::kInvalidModel,
                    StrCat("'", name, "' holds ", value, ", expected at least ", lowest,
                           " and at most ", kMaxValue));
    }
  }
  return OkStatus();
}

Ints ListOr(const Node& node, const char* name, size_t count, int64_t fallback) {
  Ints values = node.GetInts(name);
  return values.empty() ? Ints(count, fallback) : values;
}

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace

Result<AutoPad> ReadAutoPad(const Node& node) {
  const std::string text = node.GetString("auto_pad", "NOTSET");
  if (text == "NOTSET" || text.empty()) return AutoPad::kNotSet;
  if (text == "SAME_UPPER") return AutoPad::kSameUpper;
  if (text == "SAME_LOWER") return AutoPad::kSameLower;
  if (text == "VALID") return AutoPad::kValid;
  return Status(Code::kInvalidModel, StrCat("'auto_pad' is '", text,
                                            "', expected NOTSET, SAME_UPPER, SAME_LOWER or VALID"));
}

Result<Window> ReadWindow(const Node& node, Ints kernel) {
  const size_t rank = kernel.size();
  Window window;
  window.kernel = std::move(kernel);
  window.strides = ListOr(node, "strides", rank, 1);
  window.dilations = ListOr(node, "dilations", rank, 1);
  window.pads = ListOr(node, "pads", 2 * rank, 0);
  window.ceil_mode = node.GetInt("ceil_mode", 0) != 0;
  ASSIGN_OR_RETURN(window.auto_pad, ReadAutoPad(node));
  if (window.auto_pad != AutoPad::kNotSet) window.pads.assign(2 * rank, 0);
  RETURN_IF_ERROR(CheckList("kernel_shape", window.kernel, rank, 1));
  RETURN_IF_ERROR(CheckList("strides", window.strides, rank, 1));
  RETURN_IF_ERROR(CheckList("dilations", window.dilations, rank, 1));
  RETURN_IF_ERROR(CheckList("pads", window.pads, 2 * rank, 0));
  return window;
}

OpDef& AddWindowAttrs(OpDef& def) {
  return def
      .DefaultAttr("auto_pad", AttrKind::kString, std::string("NOTSET"),
                   "NOTSET: `pads` apply. SAME_UPPER, SAME_LOWER: the output size is ceil(in / "
                   "stride); an odd padding goes to the end or the begin. VALID: no padding.")
      .OptionalAttr("dilations", AttrKind::kInts, "Distance of taps per spatial axis; 1 each.")
      .OptionalAttr("pads", AttrKind::kInts, "Padding: all begins, then all ends; 0 each.")
      .OptionalAttr("strides", AttrKind::kInts, "Distance of windows per spatial axis; 1 each.");
}

Result<Dim> WindowOutputDim(const Window& window, size_t axis, const Dim& in) {
  const Dim stride(window.strides[axis]);
  if (window.auto_pad == AutoPad::kSameUpper || window.auto_pad == AutoPad::kSameLower) {
    return Dim::CeilDiv(in, stride);
  }
  const int64_t begin = window.pads[axis], end = window.pads[axis + window.rank()];
  const Dim room = in + Dim(begin + end - window.extent(axis));
  Dim out = Dim::FloorDiv(room, stride) + Dim(1);
  if (window.ceil_mode && window.auto_pad == AutoPad::kNotSet) {
    const Dim last_start = Dim::FloorDiv(in + Dim(begin - 1), stride) + Dim(1);
    out = Dim::Min(Dim::CeilDiv(room, stride) + Dim(1), last_start);
  }
  if (out.is_const() && out.value() < 0) {
    return Status(Code::kInvalidModel,
                  StrCat("the window covers ", window.extent(axis), " elements of spatial axis ",
                         axis, ", which has ", in, " with padding ", begin, " and ", end));
  }
  return out;
}

Result<Dims> WindowOutputDims(const Window& window, std::span<const Dim> in) {
  if (in.size() != window.rank()) {
    return Status(Code::kInvalidModel, StrCat("the window has ", window.rank(), " axes, the input ",
                                              in.size(), " spatial ones"));
  }
  Dims out;
  for (size_t i = 0; i < in.size(); ++i) {
    ASSIGN_OR_RETURN(Dim dim, WindowOutputDim(window, i, in[i]));
    out.push_back(std::move(dim));
  }
  return out;
}

Result<std::vector<WindowAxis>> ResolveWindow(const Window& window, std::span<const int64_t> in) {
  const Dims dims(in.begin(), in.end());
  ASSIGN_OR_RETURN(const Dims out, WindowOutputDims(window, dims));
  std::vector<WindowAxis> axes;
  for (size_t i = 0; i < in.size(); ++i) {
    WindowAxis axis{in[i],
                    out[i].value(),
                    window.kernel[i],
                    window.strides[i],
                    window.dilations[i],
                    window.pads[i],
                    window.pads[i + in.size()]};
    const bool lower = window.auto_pad == AutoPad::kSameLower;
    if (lower || window.auto_pad == AutoPad::kSameUpper) {
      const int64_t total =
          std::max<int64_t>(0, (axis.out - 1) * axis.stride + window.extent(i) - axis.in);
      axis.pad_begin = lower ? CeilDiv(total, 2) : total / 2;
      axis.pad_end = total - axis.pad_begin;
    }
    axes.push_back(axis);
  }
  return axes;
}

TapRange PositionsOfTap(const WindowAxis& axis, int64_t k) {
  TapRange range;
  range.shift = k * axis.dilation - axis.pad_begin;
  if (range.shift < 0) range.begin = CeilDiv(-range.shift, axis.stride);
  if (axis.in > range.shift) {
    range.end = std::min(axis.out, (axis.in - 1 - range.shift) / axis.stride + 1);
  }
  range.begin = std::min(range.begin, range.end);
  return range;
}

}  // namespace cairn
