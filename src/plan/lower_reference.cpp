// SPDX-License-Identifier: Apache-2.0
// Lowers any node to the reference library: the node travels as the text of a graph of its own.
#include "ir/text.h"
#include "plan/emitter.h"
#include "plan/lowerings.h"

namespace cairn::plan {
namespace {

/// The node alone in a graph whose inputs are the node's present inputs and whose outputs are its
/// wanted outputs, in order.
Result<std::string> NodeAsText(const Node& node) {
  Graph graph("node");
  std::vector<Value*> inputs;
  for (const Value* value : node.inputs()) {
    inputs.push_back(value ? graph.AddInput(StrCat("x", inputs.size()), value->type()) : nullptr);
  }
  Node* copy =
      graph.AddNode(node.op(), node.name(), inputs, static_cast<int>(node.outputs().size()));
  for (const auto& [name, attribute] : node.attributes()) copy->Set(name, attribute);
  for (size_t i = 0; i < node.outputs().size(); ++i) {
    if (node.output(i) == nullptr) continue;
    copy->output(i)->set_type(node.output(i)->type());
    graph.AddOutput(copy->output(i));
  }
  PrintOptions options;
  options.max_constant_elements = -1;
  options.origins = false;
  return PrintGraph(graph, options);
}

Status EmitReference(Emitter& emit) {
  const Node& node = emit.node();
  std::vector<TensorId> inputs, outputs;
  for (size_t i = 0; i < node.inputs().size(); ++i) {
    ASSIGN_OR_RETURN(TensorId id, emit.In(i));
    if (id != kNoTensor) inputs.push_back(id);
  }
  for (size_t i = 0; i < node.outputs().size(); ++i) {
    if (node.output(i) == nullptr) continue;
    ASSIGN_OR_RETURN(TensorId id, emit.Out(i));
    outputs.push_back(id);
  }
  ASSIGN_OR_RETURN(std::string text, NodeAsText(node));
  emit.AddTask(std::move(inputs), std::move(outputs)).task.attributes["graph"] = std::move(text);
  return OkStatus();
}

}  // namespace

void LowerReference(const LowerContext& /*context*/, const Node& node,
                    std::vector<Candidate>& candidates) {
  Candidate candidate;
  candidate.kernel = "reference";
  candidate.inputs = AllIn(Layout::kPlain, node.inputs().size());
  candidate.outputs = AllIn(Layout::kPlain, node.outputs().size());
  double elements = 1;
  for (const Value* output : node.outputs()) {
    if (output) elements += static_cast<double>(ElementCount(StaticShape(*output)));
  }
  candidate.cycles = 1e5 + 500 * elements;
  candidate.emit = EmitReference;
  candidates.push_back(std::move(candidate));
}

}  // namespace cairn::plan
