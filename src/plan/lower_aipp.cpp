// SPDX-License-Identifier: Apache-2.0
// Lowers Aipp, image pre-processing.
#include "plan/lowerings.h"
#include "plan/emitter.h"

namespace cairn::plan {
namespace {

/// The task keeps the operator's attributes; the runtime shows them to applications.
TaskAttributes AttributesOf(const Node& node) {
  TaskAttributes attributes;
  for (const auto& [name, value] : node.attributes()) {
    if (const auto* i = std::get_if<int64_t>(&value)) attributes[name] = *i;
    if (const auto* f = std::get_if<float>(&value)) attributes[name] = static_cast<double>(*f);
    if (const auto* ints = std::get_if<Ints>(&value)) attributes[name] = *ints;
    if (const auto* floats = std::get_if<Floats>(&value))
      attributes[name] = std::vector<double>(floats->begin(), floats->end());
  }
  return attributes;
}

Status EmitAipp(Emitter& emit) {
  const Node& node = emit.node();
  std::vector<TensorId> inputs;
  for (size_t i = 0; i < node.inputs().size() && node.input(i) != nullptr; ++i) {
    ASSIGN_OR_RETURN(TensorId input, emit.In(i));
    inputs.push_back(input);
  }
  ASSIGN_OR_RETURN(TensorId y, emit.Out(0));
  emit.AddTask(inputs, {y}).task.attributes = AttributesOf(node);
  return OkStatus();
}

}  // namespace

void LowerAipp(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates) {
  Candidate candidate;
  candidate.kernel = "aipp";
  candidate.inputs = AllIn(Layout::kPlain, node.inputs().size());
  candidate.outputs = {Layout::kPlain};
  candidate.cycles =
      3.0 * static_cast<double>(ElementCount(StaticShape(*node.output()))) +
      TrafficCycles(context, static_cast<double>(ElementCount(StaticShape(*node.input(0)))));
  candidate.emit = EmitAipp;
  candidates.push_back(std::move(candidate));
}

}  // namespace cairn::plan
