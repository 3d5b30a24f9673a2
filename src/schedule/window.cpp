// SPDX-License-Identifier: Apache-2.0
// Reads and checks windows.
#include "schedule/window.h"

namespace cairn::schedule {
namespace {

constexpr int64_t kLargest = int64_t{1} << 24;

/// Fills the last `count` entries of `spatial` from `list`, which is empty or has `count` values.
bool Fill(const std::vector<int64_t>& list, size_t first, size_t count, int64_t least,
          Spatial& spatial) {
  for (size_t i = 0; i < count; ++i) {
    const int64_t value = list[first + i];
    if (value < least || value > kLargest) return false;
    spatial[3 - count + i] = value;
  }
  return true;
}

}  // namespace

int64_t Window::OutputSize(int axis, int64_t input, bool ceil_mode) const {
  const auto i = static_cast<size_t>(axis);
  const int64_t reach = (kernel[i] - 1) * dilation[i] + 1;
  const int64_t room = input + pad_begin[i] + pad_end[i] - reach;
  if (room < 0) return 0;
  int64_t size = room / stride[i] + 1;
  // onnx:MaxPool ceil_mode: the last window must begin inside the input or the padding before it.
  if (ceil_mode && room % stride[i] != 0 && size * stride[i] < input + pad_begin[i]) ++size;
  return size;
}

Result<Window> ReadWindow(const BindContext& context, const ProgramTensor& input,
                          const std::vector<int64_t>* kernel) {
  const size_t rank = input.dims.size();
  if (rank < 3 || rank > 5) return context.Invalid("there are one to three spatial axes");
  const size_t count = rank - 2;
  Window window;
  const std::vector<int64_t> shape = kernel ? *kernel : context.task.GetInts("kernel_shape");
  const std::vector<int64_t> strides = context.task.GetInts("strides");
  const std::vector<int64_t> dilations = context.task.GetInts("dilations");
  const std::vector<int64_t> pads = context.task.GetInts("pads");
  if (shape.size() != count || !Fill(shape, 0, count, 1, window.kernel)) {
    return context.Invalid("the window has a size for each spatial axis");
  }
  if (!strides.empty() && (strides.size() != count || !Fill(strides, 0, count, 1, window.stride))) {
    return context.Invalid("strides are positive, one per spatial axis");
  }
  if (!dilations.empty() &&
      (dilations.size() != count || !Fill(dilations, 0, count, 1, window.dilation))) {
    return context.Invalid("dilations are positive, one per spatial axis");
  }
  if (!pads.empty() && (pads.size() != 2 * count || !Fill(pads, 0, count, 0, window.pad_begin) ||
                        !Fill(pads, count, count, 0, window.pad_end))) {
    return context.Invalid("pads are not negative, two per spatial axis");
  }
  return window;
}

Spatial SpatialDims(const ProgramTensor& tensor) {
  Spatial spatial = {1, 1, 1};
  for (size_t i = 2; i < tensor.dims.size(); ++i) {
    spatial[3 - (tensor.dims.size() - i)] = tensor.dims[i];
  }
  return spatial;
}

}  // namespace cairn::schedule
