// SPDX-License-Identifier: Apache-2.0
// Lowers reductions, pooling over whole images, softmax and positions of extremes.
#include <algorithm>
#include <map>

#include "plan/emitter.h"
#include "plan/lowerings.h"

namespace cairn::plan {
namespace {

const char* ReduceKindOf(const std::string& op) {
  static const auto& kinds = *new std::map<std::string, const char*>{
      {"GlobalAveragePool", "mean"},
      {"GlobalMaxPool", "max"},
      {"ReduceL1", "l1"},
      {"ReduceL2", "l2"},
      {"ReduceLogSum", "log_sum"},
      {"ReduceLogSumExp", "log_sum_exp"},
      {"ReduceMax", "max"},
      {"ReduceMean", "mean"},
      {"ReduceMin", "min"},
      {"ReduceProd", "prod"},
      {"ReduceSum", "sum"},
      {"ReduceSumSquare", "sum_square"},
  };
  auto it = kinds.find(op);
  return it == kinds.end() ? nullptr : it->second;
}

/// The reduced axes, sorted, or nothing when they are not known.
std::optional<Ints> ReducedAxes(const Node& node, int64_t rank) {
  Ints axes;
  if (node.op() == "GlobalAveragePool" || node.op() == "GlobalMaxPool") {
    for (int64_t i = 2; i < rank; ++i) axes.push_back(i);
    return axes;
  }
  if (const Value* input = node.input(1)) {
    if (!input->is_constant()) return std::nullopt;
    for (int64_t i = 0; i < input->constant().num_elements(); ++i) {
      axes.push_back(input->constant().GetInt(i));
    }
  } else {
    axes = node.GetInts("axes");
  }
  if (axes.empty() && node.GetInt("noop_with_empty_axes", 0) == 0) {
    for (int64_t i = 0; i < rank; ++i) axes.push_back(i);
  }
  for (int64_t& axis : axes) axis += axis < 0 ? rank : 0;
  std::sort(axes.begin(), axes.end());
  return axes;
}

Candidate PlainCandidate(const Node& node, const char* kernel, double cycles) {
  Candidate candidate;
  candidate.kernel = kernel;
  candidate.inputs = AllIn(Layout::kPlain, node.inputs().size());
  candidate.outputs = AllIn(Layout::kPlain, node.outputs().size());
  candidate.cycles = cycles;
  return candidate;
}

bool IsF32(const Value* value) { return value && value->type().dtype == ElementType::kF32; }

double ElementsOf(const Value& value) {
  return static_cast<double>(ElementCount(StaticShape(value)));
}

void SetReduce(DraftTask& task, const char* kind, const Ints& axes) {
  task.task.attributes["kind"] = std::string(kind);
  task.task.attributes["axes"] = axes;
}

Status EmitReduce(Emitter& emit, const char* kind, const Ints& axes) {
  ASSIGN_OR_RETURN(TensorId x, emit.In(0));
  ASSIGN_OR_RETURN(TensorId y, emit.Out(0));
  SetReduce(emit.AddTask({x}, {y}), kind, axes);
  return OkStatus();
}

/// Blocked source; the plain result without spatial axes is a view of the blocked one.
Status EmitBlockedReduce(Emitter& emit, const char* kind, const Ints& axes) {
  ASSIGN_OR_RETURN(TensorId x, emit.In(0));
  Shape dims = StaticShape(*emit.node().input(0));
  for (size_t i = 2; i < dims.size(); ++i) dims[i] = 1;
  ASSIGN_OR_RETURN(TensorId y, emit.Temporary(ElementType::kF32, Layout::kBlocked, dims));
  SetReduce(emit.AddTask({x}, {y}), kind, axes);
  return emit.View(0, y, 0).status();
}

void AddBlockedReduce(const LowerContext& context, const Node& node, const char* kind,
                      const Ints& axes, std::vector<Candidate>& candidates) {
  const Shape in = StaticShape(*node.input(0)), out = StaticShape(*node.output());
  const bool keeps_rank = out.size() == in.size();
  if (!CanBlock(*node.input(0)) || axes.size() != in.size() - 2 || axes.empty() || axes[0] != 2 ||
      std::string(kind).starts_with("log")) {
    return;
  }
  Shape pixel(in.begin(), in.begin() + 2);
  if (!keeps_rank && !SameBytes(pixel, Layout::kBlocked, Layout::kPlain, context.c0())) return;
  Candidate candidate;
  candidate.kernel = "reduce_f32";
  candidate.algorithm = "blocked";
  candidate.inputs = AllIn(Layout::kPlain, node.inputs().size());
  candidate.inputs[0] = Layout::kBlocked;
  candidate.outputs = AllIn(keeps_rank ? Layout::kBlocked : Layout::kPlain, 1);
  const double elements = ElementsOf(*node.input(0));
  candidate.cycles = 400 + elements / context.c0() + TrafficCycles(context, elements * 4);
  candidate.emit = [kind, axes, keeps_rank](Emitter& emit) {
    return keeps_rank ? EmitReduce(emit, kind, axes) : EmitBlockedReduce(emit, kind, axes);
  };
  candidates.push_back(std::move(candidate));
}

}  // namespace

void LowerReduce(const LowerContext& context, const Node& node,
                 std::vector<Candidate>& candidates) {
  const char* kind = ReduceKindOf(node.op());
  if (!kind || !IsF32(node.input(0)) || node.epilogue()) return;
  const int64_t rank = node.input(0)->type().rank();
  const auto axes = ReducedAxes(node, rank);
  if (!axes || axes->empty()) return;
  AddBlockedReduce(context, node, kind, *axes, candidates);
  const double elements = ElementsOf(*node.input(0));
  Candidate plain = PlainCandidate(
      node, "reduce_f32", 400 + elements / context.c0() * 2 + TrafficCycles(context, elements * 4));
  plain.emit = [kind, axes = *axes](Emitter& emit) { return EmitReduce(emit, kind, axes); };
  candidates.push_back(std::move(plain));
}

void LowerSoftmax(const LowerContext& context, const Node& node,
                  std::vector<Candidate>& candidates) {
  if (!IsF32(node.input(0)) || StaticShape(*node.input(0)).empty() || node.epilogue()) return;
  const double elements = ElementsOf(*node.input(0));
  Candidate candidate =
      PlainCandidate(node, "softmax_f32",
                     400 + elements / context.c0() * 20 + TrafficCycles(context, elements * 8));
  candidate.emit = [](Emitter& emit) -> Status {
    ASSIGN_OR_RETURN(TensorId x, emit.In(0));
    ASSIGN_OR_RETURN(TensorId y, emit.Out(0));
    DraftTask& task = emit.AddTask({x}, {y});
    task.task.attributes["axis"] = emit.node().GetInt("axis", -1);
    if (emit.node().op() == "LogSoftmax") task.task.attributes["log"] = int64_t{1};
    task.reusable_inputs = {0};
    return OkStatus();
  };
  candidates.push_back(std::move(candidate));
}

void LowerArgExtreme(const LowerContext& context, const Node& node,
                     std::vector<Candidate>& candidates) {
  if (!IsF32(node.input(0)) || StaticShape(*node.input(0)).empty()) return;
  const double elements = ElementsOf(*node.input(0));
  Candidate candidate = PlainCandidate(node, "arg_extreme_f32",
                                       300 + elements + TrafficCycles(context, elements * 4));
  candidate.emit = [](Emitter& emit) -> Status {
    ASSIGN_OR_RETURN(TensorId x, emit.In(0));
    ASSIGN_OR_RETURN(TensorId y, emit.Out(0));
    TaskAttributes& attributes = emit.AddTask({x}, {y}).task.attributes;
    attributes["axis"] = emit.node().GetInt("axis", 0);
    attributes["greatest"] = int64_t{emit.node().op() == "ArgMax"};
    attributes["last_of_equals"] = emit.node().GetInt("select_last_index", 0);
    return OkStatus();
  };
  candidates.push_back(std::move(candidate));
}

}  // namespace cairn::plan
