// SPDX-License-Identifier: Apache-2.0
// Lowers layer, RMS, instance and group normalisation, and local response normalisation.
#include "plan/emitter.h"
#include "plan/lowerings.h"

namespace cairn::plan {
namespace {

/// See kernels::NormParams.
struct NormWork {
  int64_t rows = 1, spans = 0, row_period = 1, num_scales = 0;
  bool rms = false;
};

std::optional<NormWork> Analyse(const Node& node) {
  const Shape shape = StaticShape(*node.input(0));
  const auto rank = static_cast<int64_t>(shape.size());
  NormWork work;
  if (node.op() == "InstanceNormalization" || node.op() == "GroupNormalization") {
    if (rank < 3) return std::nullopt;
    const int64_t groups =
        node.op() == "InstanceNormalization" ? shape[1] : node.GetInt("num_groups", 1);
    if (groups < 1 || shape[1] % groups != 0) return std::nullopt;
    work.rows = shape[0] * groups;
    work.spans = shape[1] / groups;
    work.row_period = groups;
    work.num_scales = shape[1];
    return work;
  }
  int64_t axis = node.GetInt("axis", -1);
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) return std::nullopt;
  for (int64_t i = 0; i < axis; ++i) work.rows *= shape[static_cast<size_t>(i)];
  work.num_scales = ElementCount(shape) / work.rows;
  work.rms = node.op() == "RMSNormalization";
  return work;
}

Status EmitNorm(Emitter& emit, const NormWork& work) {
  const Node& node = emit.node();
  std::vector<TensorId> inputs, outputs;
  for (size_t i = 0; i < node.inputs().size(); ++i) {
    ASSIGN_OR_RETURN(TensorId id, emit.In(i));
    inputs.push_back(id);
  }
  for (size_t i = 0; i < node.outputs().size(); ++i) {
    TensorId id = kNoTensor;
    if (node.output(i)) {
      ASSIGN_OR_RETURN(id, emit.Out(i));
    }
    outputs.push_back(id);
  }
  DraftTask& task = emit.AddTask(std::move(inputs), std::move(outputs));
  TaskAttributes& attributes = task.task.attributes;
  attributes["rows"] = work.rows;
  attributes["epsilon"] = static_cast<double>(node.GetFloat("epsilon", 1e-5f));
  if (work.rms) attributes["rms"] = int64_t{1};
  if (work.spans != 0) {
    attributes["spans"] = work.spans;
    attributes["row_period"] = work.row_period;
  }
  task.reusable_inputs = {0};
  return OkStatus();
}

Candidate PlainCandidate(const LowerContext& context, const Node& node, const char* kernel,
                         double cycles_per_vector) {
  Candidate candidate;
  candidate.kernel = kernel;
  candidate.inputs = AllIn(Layout::kPlain, node.inputs().size());
  candidate.outputs = AllIn(Layout::kPlain, node.outputs().size());
  const auto elements = static_cast<double>(ElementCount(StaticShape(*node.input(0))));
  candidate.cycles =
      400 + elements / context.c0() * cycles_per_vector + TrafficCycles(context, elements * 8);
  return candidate;
}

}  // namespace

void LowerNorm(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates) {
  if (node.epilogue() || node.inputs().size() > 3 || node.outputs().size() > 3 || !node.output()) {
    return;
  }
  for (const auto* operands : {&node.inputs(), &node.outputs()}) {
    for (const Value* value : *operands) {
      if (value && value->type().dtype != ElementType::kF32) return;
    }
  }
  const auto work = Analyse(node);
  if (!work) return;
  for (size_t i = 1; i < node.inputs().size(); ++i) {
    if (node.input(i) && ElementCount(StaticShape(*node.input(i))) != work->num_scales) return;
  }
  if (work->rms && node.output(1)) return;
  Candidate candidate = PlainCandidate(context, node, "norm_f32", 5);
  candidate.emit = [work = *work](Emitter& emit) { return EmitNorm(emit, work); };
  candidates.push_back(std::move(candidate));
}

void LowerLrn(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates) {
  if (node.input(0)->type().dtype != ElementType::kF32 || node.epilogue()) return;
  Candidate candidate = PlainCandidate(context, node, "lrn_f32", 100);
  candidate.emit = [](Emitter& emit) -> Status {
    ASSIGN_OR_RETURN(TensorId x, emit.In(0));
    ASSIGN_OR_RETURN(TensorId y, emit.Out(0));
    const Node& node = emit.node();
    TaskAttributes& attributes = emit.AddTask({x}, {y}).task.attributes;
    attributes["size"] = node.GetInt("size", 1);
    attributes["alpha"] = static_cast<double>(node.GetFloat("alpha", 1e-4f));
    attributes["beta"] = static_cast<double>(node.GetFloat("beta", 0.75f));
    attributes["bias"] = static_cast<double>(node.GetFloat("bias", 1.0f));
    return OkStatus();
  };
  candidates.push_back(std::move(candidate));
}

}  // namespace cairn::plan
