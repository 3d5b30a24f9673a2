// SPDX-License-Identifier: Apache-2.0
// Lowers gathers and scatters, Pad, and what the element-wise engine leaves of Where and Cast.
#include <algorithm>

#include "kernels/movement/cast.h"
#include "kernels/movement/gather.h"
#include "kernels/movement/pad.h"
#include "plan/lowerings.h"
#include "plan/movement.h"

namespace cairn::plan {
namespace {

Candidate PlainCandidate(const LowerContext& context, const Node& node, const char* kernel,
                         double cycles_per_element) {
  Candidate candidate;
  candidate.kernel = kernel;
  candidate.inputs = AllIn(Layout::kPlain, node.inputs().size());
  candidate.outputs = AllIn(Layout::kPlain, node.outputs().size());
  const auto elements = static_cast<double>(ElementCount(StaticShape(*node.output())));
  candidate.cycles = 300 + elements * cycles_per_element + TrafficCycles(context, elements * 8);
  return candidate;
}

/// All inputs in order, the first output, and `attributes`.
Status EmitPlain(Emitter& emit, size_t num_inputs, TaskAttributes attributes) {
  std::vector<TensorId> inputs;
  for (size_t i = 0; i < num_inputs; ++i) {
    ASSIGN_OR_RETURN(TensorId id, emit.In(i));
    inputs.push_back(id);
  }
  ASSIGN_OR_RETURN(TensorId y, emit.Out(0));
  emit.AddTask(std::move(inputs), {y}).task.attributes = std::move(attributes);
  return OkStatus();
}

void AddPlain(const LowerContext& context, const Node& node, const char* kernel, size_t num_inputs,
              TaskAttributes attributes, std::vector<Candidate>& candidates) {
  Candidate candidate = PlainCandidate(context, node, kernel, 1);
  candidate.emit = [num_inputs, attributes](Emitter& emit) {
    return EmitPlain(emit, num_inputs, attributes);
  };
  candidates.push_back(std::move(candidate));
}

bool IsIndex(const Value* value) {
  return value &&
         (value->type().dtype == ElementType::kI32 || value->type().dtype == ElementType::kI64);
}

bool RanksFit(const Node& node) {
  return node.input(0)->type().rank() <= kernels::kMaxNdRank &&
         node.input(1)->type().rank() <= kernels::kMaxNdRank;
}

/// A constant single index is a slice: a view when nothing lies outside of it, a copy otherwise.
bool AddGatherOfOne(const LowerContext& context, const Node& node, size_t axis,
                    std::vector<Candidate>& candidates) {
  const Value& indices = *node.input(1);
  if (!indices.is_constant() || indices.constant().num_elements() != 1) return false;
  const Shape in = StaticShape(*node.input(0));
  int64_t index = indices.constant().GetInt(0);
  if (index < 0) index += in[axis];
  if (index < 0 || index >= in[axis]) return false;
  int64_t outer = 1, inner = 1;
  for (size_t i = 0; i < axis; ++i) outer *= in[i];
  for (size_t i = axis + 1; i < in.size(); ++i) inner *= in[i];
  const int bytes = MovableBytes(*node.input(0));
  Candidate candidate = PlainCandidate(context, node, "", 0);
  candidate.algorithm = outer == 1 ? "view" : "slice";
  if (outer == 1) {
    candidate.cycles = 0;
    candidate.emit = [offset =
                          static_cast<uint64_t>(index * inner * bytes)](Emitter& emit) -> Status {
      ASSIGN_OR_RETURN(TensorId x, emit.In(0));
      return emit.View(0, x, offset).status();
    };
  } else {
    candidate.kernel = "strided_copy";
    const Shape dims = {outer, in[axis], inner}, out = {outer, 1, inner};
    const Ints starts = {0, index, 0}, steps = {1, 1, 1};
    candidate.emit = [copy = kernels::MakeSlice(context.isa, bytes, dims, starts, steps, out)](
                         Emitter& emit) -> Status {
      ASSIGN_OR_RETURN(TensorId x, emit.In(0));
      ASSIGN_OR_RETURN(TensorId y, emit.Out(0));
      EmitStridedCopy(emit, x, y, copy);
      return OkStatus();
    };
  }
  candidates.push_back(std::move(candidate));
  return true;
}

int64_t ReductionOf(const Node& node) {
  const std::string name = node.GetString("reduction", "none");
  const char* names[] = {"none", "add", "mul", "min", "max"};
  for (int64_t i = 0; i < 5; ++i) {
    if (name == names[i]) return i;
  }
  return -1;
}

struct PadWork {
  Ints begin;  ///< Per axis of the data.
  int64_t mode = 0;
  bool zero = true;  ///< The value is zero bits.
};

std::optional<PadWork> AnalysePad(const Node& node) {
  const char* modes[] = {"constant", "reflect", "edge", "wrap"};
  const std::string mode = node.GetString("mode", "constant");
  PadWork work;
  const auto* found = std::find_if(std::begin(modes), std::end(modes),
                                   [&](const char* name) { return mode == name; });
  if (found == std::end(modes)) return std::nullopt;
  work.mode = found - std::begin(modes);
  const Shape in = StaticShape(*node.input(0));
  work.begin.assign(in.size(), 0);
  if (!node.input(1) || !node.input(1)->is_constant()) return std::nullopt;
  const Tensor& pads = node.input(1)->constant();
  Ints axes;
  if (node.input(3)) {
    if (!node.input(3)->is_constant()) return std::nullopt;
    for (int64_t i = 0; i < node.input(3)->constant().num_elements(); ++i) {
      axes.push_back(node.input(3)->constant().GetInt(i));
    }
  } else {
    for (size_t i = 0; i < in.size(); ++i) axes.push_back(static_cast<int64_t>(i));
  }
  if (pads.num_elements() != static_cast<int64_t>(2 * axes.size())) return std::nullopt;
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t axis = axes[i] < 0 ? axes[i] + static_cast<int64_t>(in.size()) : axes[i];
    work.begin[static_cast<size_t>(axis)] = pads.GetInt(static_cast<int64_t>(i));
  }
  if (const Value* value = node.input(2)) {
    const Tensor* tensor = value->is_constant() ? &value->constant() : nullptr;
    work.zero = tensor && std::all_of(tensor->bytes(), tensor->bytes() + tensor->num_bytes(),
                                      [](std::byte b) { return b == std::byte{0}; });
  }
  return work;
}

Status EmitPad(Emitter& emit, const PadWork& work) {
  ASSIGN_OR_RETURN(TensorId x, emit.In(0));
  std::vector<TensorId> inputs = {x};
  if (!work.zero) {
    ASSIGN_OR_RETURN(TensorId value, emit.In(2));
    inputs.push_back(value);
  }
  ASSIGN_OR_RETURN(TensorId y, emit.Out(0));
  TaskAttributes& attributes = emit.AddTask(std::move(inputs), {y}).task.attributes;
  Ints begin = work.begin;
  if (emit.candidate().inputs[0] == Layout::kBlocked) begin.push_back(0);
  attributes["begin"] = std::move(begin);
  attributes["mode"] = work.mode;
  return OkStatus();
}

}  // namespace

void LowerGather(const LowerContext& context, const Node& node,
                 std::vector<Candidate>& candidates) {
  if (!IsIndex(node.input(1)) || MovableBytes(*node.input(0)) == 0 || !RanksFit(node)) return;
  int64_t axis = node.GetInt("axis", 0);
  if (axis < 0) axis += node.input(0)->type().rank();
  if (node.op() == "Gather") {
    if (AddGatherOfOne(context, node, static_cast<size_t>(axis), candidates)) return;
    AddPlain(context, node, "gather", 2, {{"axis", axis}}, candidates);
  } else if (node.op() == "GatherElements") {
    AddPlain(context, node, "gather_elements", 2, {{"axis", axis}}, candidates);
  } else {
    AddPlain(context, node, "gather_nd", 2, {{"batch_dims", node.GetInt("batch_dims", 0)}},
             candidates);
  }
}

void LowerScatter(const LowerContext& context, const Node& node,
                  std::vector<Candidate>& candidates) {
  const int64_t reduction = ReductionOf(node);
  if (!IsIndex(node.input(1)) || MovableBytes(*node.input(0)) == 0 || !RanksFit(node) ||
      reduction < 0 ||
      !kernels::SupportsScatter(node.input(0)->type().dtype,
                                static_cast<kernels::ScatterReduction>(reduction))) {
    return;
  }
  TaskAttributes attributes = {{"reduction", reduction}};
  if (node.op() == "ScatterElements") attributes["axis"] = node.GetInt("axis", 0);
  AddPlain(context, node, node.op() == "ScatterElements" ? "scatter_elements" : "scatter_nd", 3,
           std::move(attributes), candidates);
}

void LowerPad(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates) {
  const auto work = AnalysePad(node);
  const Shape in = StaticShape(*node.input(0)), out = StaticShape(*node.output());
  if (!work || MovableBytes(*node.input(0)) == 0) return;
  const bool keeps_channels = in.size() >= 2 && in[0] == out[0] && in[1] == out[1] &&
                              work->begin[0] == 0 && work->begin[1] == 0;
  for (Layout layout : {Layout::kBlocked, Layout::kPlain}) {
    const bool blocked = layout == Layout::kBlocked;
    // Lanes without a channel must stay zero.
    const bool lanes_stay = work->mode != 0 || work->zero;
    if (blocked && !(CanBlock(*node.input(0)) && keeps_channels && lanes_stay)) continue;
    if (in.size() + (blocked ? 1 : 0) > kernels::kMaxNdRank) continue;
    Candidate candidate = PlainCandidate(context, node, "pad", 0.3);
    candidate.inputs[0] = layout;
    candidate.outputs[0] = layout;
    candidate.emit = [work = *work](Emitter& emit) { return EmitPad(emit, work); };
    candidates.push_back(std::move(candidate));
  }
}

void LowerWhere(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates) {
  LowerElementwise(context, node, candidates);
  if (!candidates.empty() || MovableBytes(*node.output()) == 0 ||
      node.input(0)->type().dtype != ElementType::kBool ||
      node.output()->type().rank() > kernels::kMaxNdRank) {
    return;
  }
  AddPlain(context, node, "where", 3, {}, candidates);
}

void LowerCast(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates) {
  const ElementType from = node.input(0)->type().dtype, to = node.output()->type().dtype;
  if (from == to) {
    LowerReshape(context, node, candidates);
    return;
  }
  LowerElementwise(context, node, candidates);
  if (!candidates.empty() || !kernels::SupportsCast(from) || !kernels::SupportsCast(to)) return;
  AddPlain(context, node, "cast", 1, {}, candidates);
}

}  // namespace cairn::plan
