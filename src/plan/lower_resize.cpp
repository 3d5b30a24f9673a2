// SPDX-License-Identifier: Apache-2.0
// Lowers Resize over at most three neighbouring axes, plain or blocked.
#include <algorithm>

#include "plan/lowerings.h"
#include "plan/movement.h"

namespace cairn::plan {
namespace {

struct ResizeWork {
  Ints axes;  ///< Neighbours, rising.
  std::vector<double> scales, roi_starts, roi_ends;
  int64_t mode = 0, coordinates = 0, nearest = 0;
};

/// The position of `text` in `names`, or -1. The order is that of the kernel's enumerations.
int64_t IndexOf(const std::string& text, std::initializer_list<const char*> names) {
  int64_t index = 0;
  for (const char* name : names) {
    if (text == name) return index;
    ++index;
  }
  return -1;
}

const Tensor* ConstantOf(const Value* value) {
  return value && value->is_constant() && value->constant().num_elements() > 0 ? &value->constant()
                                                                               : nullptr;
}

/// Scale, region start and region end of every axis.
struct AxisValues {
  std::vector<double> scales, starts, ends;
};

std::optional<AxisValues> ReadAxes(const Node& node, const Shape& in, const Shape& out) {
  AxisValues values;
  for (size_t i = 0; i < in.size(); ++i) {
    values.scales.push_back(static_cast<double>(out[i]) / static_cast<double>(in[i]));
  }
  values.starts.assign(in.size(), 0);
  values.ends.assign(in.size(), 1);
  Ints axes = node.GetInts("axes");
  if (axes.empty()) {
    for (size_t i = 0; i < in.size(); ++i) axes.push_back(static_cast<int64_t>(i));
  }
  const auto count = static_cast<int64_t>(axes.size());
  const Tensor *scales = ConstantOf(node.input(2)), *roi = ConstantOf(node.input(1));
  if (scales && scales->num_elements() != count) return std::nullopt;
  if (roi && roi->num_elements() != 2 * count) return std::nullopt;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t axis = axes[static_cast<size_t>(i)];
    const auto at = static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(in.size()) : axis);
    if (scales) values.scales[at] = scales->GetDouble(i);
    if (roi) {
      values.starts[at] = roi->GetDouble(i);
      values.ends[at] = roi->GetDouble(count + i);
    }
  }
  return values;
}

std::optional<ResizeWork> Analyse(const Node& node) {
  ResizeWork work;
  work.mode = IndexOf(node.GetString("mode", "nearest"), {"nearest", "linear", "cubic"});
  work.coordinates =
      IndexOf(node.GetString("coordinate_transformation_mode", "half_pixel"),
              {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
               "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"});
  work.nearest = IndexOf(node.GetString("nearest_mode", "round_prefer_floor"),
                         {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
  if (work.mode < 0 || work.coordinates < 0 || work.nearest < 0) return std::nullopt;
  if (node.GetString("keep_aspect_ratio_policy", "stretch") != "stretch") return std::nullopt;
  for (size_t i = 1; i <= 3; ++i) {
    if (node.input(i) && !node.input(i)->is_constant()) return std::nullopt;
  }
  const Shape in = StaticShape(*node.input(0)), out = StaticShape(*node.output());
  const auto values = ReadAxes(node, in, out);
  if (!values) return std::nullopt;
  const bool crops = work.coordinates == 6;
  for (size_t i = 0; i < in.size(); ++i) {
    const bool whole = !crops || (values->starts[i] == 0 && values->ends[i] == 1);
    if (in[i] == out[i] && values->scales[i] == 1 && whole) continue;
    if (!work.axes.empty() && work.axes.back() + 1 != static_cast<int64_t>(i)) return std::nullopt;
    work.axes.push_back(static_cast<int64_t>(i));
    work.scales.push_back(values->scales[i]);
    work.roi_starts.push_back(values->starts[i]);
    work.roi_ends.push_back(values->ends[i]);
  }
  if (work.axes.empty() || work.axes.size() > 3) return std::nullopt;
  return work;
}

Status EmitResize(Emitter& emit, const ResizeWork& work) {
  const Node& node = emit.node();
  ASSIGN_OR_RETURN(TensorId x, emit.In(0));
  ASSIGN_OR_RETURN(TensorId y, emit.Out(0));
  TaskAttributes& attributes = emit.AddTask({x}, {y}).task.attributes;
  attributes["axes"] = work.axes;
  attributes["scales"] = work.scales;
  attributes["mode"] = work.mode;
  attributes["coordinates"] = work.coordinates;
  attributes["nearest"] = work.nearest;
  if (work.mode == 2) {
    attributes["cubic_coefficient"] = static_cast<double>(node.GetFloat("cubic_coeff_a", -0.75f));
  }
  if (node.GetInt("exclude_outside", 0) != 0) attributes["exclude_outside"] = int64_t{1};
  if (node.GetInt("antialias", 0) != 0) attributes["antialias"] = int64_t{1};
  if (work.coordinates == 6) {
    attributes["roi_starts"] = work.roi_starts;
    attributes["roi_ends"] = work.roi_ends;
    attributes["extrapolation"] = static_cast<double>(node.GetFloat("extrapolation_value", 0));
  }
  return OkStatus();
}

}  // namespace

void LowerResize(const LowerContext& context, const Node& node,
                 std::vector<Candidate>& candidates) {
  const auto work = Analyse(node);
  const bool copies_bits = work && work->mode == 0 && work->coordinates != 6;
  if (!work || MovableBytes(*node.input(0)) == 0 || MovableBytes(*node.input(0)) > 8 ||
      (!copies_bits && node.input(0)->type().dtype != ElementType::kF32)) {
    return;
  }
  const auto elements = static_cast<double>(ElementCount(StaticShape(*node.output())));
  for (Layout layout : {Layout::kBlocked, Layout::kPlain}) {
    const bool blocked = layout == Layout::kBlocked;
    if (blocked && (!CanBlock(*node.input(0)) || work->axes[0] < 2 || work->coordinates == 6)) {
      continue;
    }
    Candidate candidate;
    candidate.kernel = "resize";
    candidate.algorithm = blocked ? "blocked" : "";
    candidate.inputs = AllIn(Layout::kPlain, node.inputs().size());
    candidate.inputs[0] = layout;
    candidate.outputs = AllIn(layout, 1);
    const double taps = work->mode == 0 ? 1 : work->mode == 1 ? 3 : 8;
    const double lanes = blocked ? context.c0() : work->mode == 0 ? 1 : 3;
    candidate.cycles = 1000 + elements * taps / lanes + TrafficCycles(context, elements * 8);
    candidate.emit = [work = *work](Emitter& emit) { return EmitResize(emit, work); };
    candidates.push_back(std::move(candidate));
  }
}

}  // namespace cairn::plan
