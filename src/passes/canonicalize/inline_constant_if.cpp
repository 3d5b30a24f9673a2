// SPDX-License-Identifier: Apache-2.0
// InlineConstantIf: puts the branch that is always taken in place of the If.
#include <unordered_map>

#include "passes/passes.h"
#include "passes/rewrite.h"

namespace cairn {
namespace {

/// Copies the region's nodes before `before`; returns what its outputs became. The copies share the
/// region's nested regions: the caller drops the region afterwards.
Result<std::vector<Value*>> CopyRegion(Graph& graph, const Graph& region,
                                       const std::vector<Value*>& inputs, Node* before) {
  std::unordered_map<const Value*, Value*> twin;
  for (size_t i = 0; i < inputs.size(); ++i) twin[region.inputs()[i]] = inputs[i];
  for (const Value* value : region.Values()) {
    if (value->is_constant()) twin[value] = graph.AddConstant(value->name(), value->constant());
  }
  graph.ReserveSymbolsOf(region);
  for (const Node* node : region.Nodes()) {
    std::vector<Value*> operands;
    for (const Value* input : node->inputs()) operands.push_back(input ? twin.at(input) : nullptr);
    std::vector<std::string> names;
    for (const Value* output : node->outputs()) names.push_back(output ? output->name() : "");
    Node* copy = graph.AddNode(node->op(), node->name(), operands, static_cast<int>(names.size()),
                               before, names);
    copy->AddOrigins(node->origins());
    for (const auto& [name, attribute] : node->attributes()) copy->Set(name, attribute);
    for (size_t i = names.size(); i-- > 0;) {
      const Value* output = node->output(i);
      if (!output) {
        graph.EraseOutput(copy, i);
        continue;
      }
      copy->output(i)->set_type(output->type());
      twin[output] = copy->output(i);
    }
    RETURN_IF_ERROR(InferNode(*copy));
  }
  std::vector<Value*> outputs;
  for (const Value* output : region.outputs()) outputs.push_back(twin.at(output));
  return outputs;
}

Result<bool> InlineIf(Graph& graph, Node& node) {
  if (node.op() != "If") return false;
  const Tensor* condition = ConstantOf(node.input(0));
  if (!condition || condition->num_elements() != 1) return false;
  const Region* region =
      node.Get<Region>(condition->GetInt(0) != 0 ? "then_branch" : "else_branch");
  if (!region || (*region)->outputs().size() < node.outputs().size()) return false;
  const std::vector<Value*> captures(node.inputs().begin() + 1, node.inputs().end());
  if (captures.size() != (*region)->inputs().size()) return false;
  const Region keep = *region;
  ASSIGN_OR_RETURN(const std::vector<Value*> results, CopyRegion(graph, *keep, captures, &node));
  for (size_t i = 0; i < node.outputs().size(); ++i) {
    if (Value* output = node.output(i)) graph.ReplaceAllUses(output, results[i]);
  }
  EraseUnused(graph, &node);
  return true;
}

}  // namespace

Result<int> InlineConstantIf(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, InlineIf);
}

}  // namespace cairn
