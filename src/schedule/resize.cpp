// SPDX-License-Identifier: Apache-2.0
// Kernel `resize`: resampling of at most three neighbouring axes, plain or blocked. Attributes:
// `axes` (in the dims of the source, rising), per axis `scales`, `roi_starts`, `roi_ends`
// (doubles), and `mode`, `coordinates`, `nearest`, `cubic_coefficient`, `exclude_outside`,
// `antialias`, `extrapolation`.
#include "kernels/resize/resize.h"

#include <cmath>

#include "schedule/operands.h"
#include "schedule/strided.h"

namespace cairn::schedule {
namespace {

int RunResizeTask(const void* opaque, void* const* operands, void* scratch, int phase,
                  kernels::Part part) {
  const auto& params = *static_cast<const kernels::ResizeParams*>(opaque);
  kernels::RunResize(params, {operands[0], operands[1], scratch}, phase, part);
  return kNoFault;
}

std::vector<double> Doubles(const Task& task, std::string_view name) {
  auto it = task.attributes.find(name);
  if (it == task.attributes.end()) return {};
  const auto* list = std::get_if<std::vector<double>>(&it->second);
  return list ? *list : std::vector<double>();
}

struct ResizeSpec {
  kernels::ResizeAxisSpec common{};
  std::vector<int64_t> axes;
  std::vector<double> scales, roi_starts, roi_ends;
};

Result<ResizeSpec> ReadSpec(const BindContext& context) {
  const Task& task = context.task;
  ResizeSpec spec;
  const int64_t mode = task.GetInt("mode", 0), coordinates = task.GetInt("coordinates", 0);
  const int64_t nearest = task.GetInt("nearest", 0);
  if (mode < 0 || mode > 2 || coordinates < 0 || coordinates > 6 || nearest < 0 || nearest > 3) {
    return context.Invalid("modes are known");
  }
  spec.common.mode = static_cast<kernels::ResizeMode>(mode);
  spec.common.coordinates = static_cast<kernels::ResizeCoordinates>(coordinates);
  spec.common.nearest = static_cast<kernels::ResizeNearest>(nearest);
  spec.common.cubic_coefficient = task.GetDouble("cubic_coefficient", -0.75);
  spec.common.exclude_outside = task.GetInt("exclude_outside", 0) != 0;
  spec.common.antialias = mode != 0 && task.GetInt("antialias", 0) != 0;
  spec.axes = task.GetInts("axes");
  spec.scales = Doubles(task, "scales");
  spec.roi_starts = Doubles(task, "roi_starts");
  spec.roi_ends = Doubles(task, "roi_ends");
  const size_t count = spec.axes.size();
  if (count < 1 || count > 3 || spec.scales.size() != count) {
    return context.Invalid("one to three axes have a scale each");
  }
  for (double scale : spec.scales) {
    // The antialias filter is 1 / scale wide: its tables stay small.
    if (!(scale > 1e-4 && scale < 1e6)) return context.Invalid("scales are positive and moderate");
  }
  if (coordinates == 6 && (spec.roi_starts.size() != count || spec.roi_ends.size() != count)) {
    return context.Invalid("each axis has a region of interest");
  }
  for (size_t i = 0; i < spec.roi_starts.size() && i < spec.roi_ends.size(); ++i) {
    if (!(std::abs(spec.roi_starts[i]) < 1e6 && std::abs(spec.roi_ends[i]) < 1e6)) {
      return context.Invalid("regions of interest are moderate");
    }
  }
  return spec;
}

}  // namespace

Result<BoundTask> BindResize(const BindContext& context) {
  RETURN_IF_ERROR(CheckPresent(context, 1, 1));
  const ProgramTensor &src = context.input(0), &dst = context.output(0);
  const auto bytes = MovableBytes(src.dtype);
  if (!bytes || *bytes > 8 || src.dtype != dst.dtype || src.layout != dst.layout ||
      src.layout == Layout::kPacked || src.dims.size() != dst.dims.size()) {
    return context.Invalid("source and result have the same type, layout and rank");
  }
  ASSIGN_OR_RETURN(const ResizeSpec spec, ReadSpec(context));
  const bool nearest = spec.common.mode == kernels::ResizeMode::kNearest;
  const bool extrapolates = spec.common.coordinates == kernels::ResizeCoordinates::kTfCropAndResize;
  if ((!nearest || extrapolates) && src.dtype != ElementType::kF32) {
    return context.Invalid("interpolation is for f32");
  }
  const bool blocked = src.layout == Layout::kBlocked;
  if (blocked && extrapolates) return context.Invalid("blocked images are not extrapolated");
  std::vector<int64_t> src_dims = PhysicalDims(src, context.c0());
  std::vector<int64_t> dst_dims = PhysicalDims(dst, context.c0());
  const auto first = static_cast<size_t>(spec.axes[0]), count = spec.axes.size();
  for (size_t i = 0; i < count; ++i) {
    if (spec.axes[i] < (blocked ? 2 : 0) ||
        spec.axes[i] != spec.axes[0] + static_cast<int64_t>(i) ||
        spec.axes[i] >= static_cast<int64_t>(src.dims.size())) {
      return context.Invalid("axes are neighbours in rising order, of the image when blocked");
    }
  }
  auto params = std::make_shared<kernels::ResizeParams>();
  params->isa = context.isa;
  params->nearest = nearest && !extrapolates;
  params->element_bytes = *bytes;
  params->extrapolation = static_cast<float>(context.task.GetDouble("extrapolation", 0));
  params->outer = params->inner = 1;
  for (size_t i = 0; i < src_dims.size(); ++i) {
    if (i >= first && i < first + count) continue;
    if (src_dims[i] != dst_dims[i]) return context.Invalid("other axes keep their size");
    (i < first ? params->outer : params->inner) *= src_dims[i];
  }
  for (kernels::ResizeAxis& axis : params->axes) {
    kernels::ResizeAxisSpec neutral{};
    neutral.in = neutral.out = 1;
    neutral.scale = 1;
    axis = kernels::MakeResizeAxis(neutral);
  }
  for (size_t i = 0; i < count; ++i) {
    constexpr int64_t kLargest = int64_t{1} << 24;
    kernels::ResizeAxisSpec axis = spec.common;
    axis.in = src_dims[first + i];
    axis.out = dst_dims[first + i];
    axis.scale = spec.scales[i];
    // An antialias filter has about 4 / scale taps; its table stays below 2^26 entries.
    const double taps = axis.antialias && axis.scale < 1 ? 4 / axis.scale + 4 : 4;
    if (axis.in > kLargest || axis.out > kLargest ||
        taps * static_cast<double>(axis.out) > static_cast<double>(int64_t{1} << 26)) {
      return context.Invalid("axes are moderate");
    }
    if (extrapolates) {
      axis.roi_start = spec.roi_starts[i];
      axis.roi_end = spec.roi_ends[i];
    }
    params->axes[3 - count + i] = kernels::MakeResizeAxis(axis);
  }
  const int parts = MostParts(context);
  const size_t scratch = kernels::ResizeWorkspaceBytes(*params, parts);
  const int phases = kernels::ResizePhases(*params);
  return BoundTask{RunResizeTask, std::move(params), phases, parts, scratch};
}

}  // namespace cairn::schedule
