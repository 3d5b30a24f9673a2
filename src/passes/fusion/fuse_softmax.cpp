// SPDX-License-Identifier: Apache-2.0
// FuseSoftmax: exp(x - max(x)) divided by its sum, along one axis.
#include "passes/passes.h"
#include "passes/rewrite.h"

namespace cairn {
namespace {

/// The single axis of a reduction with keepdims.
std::optional<int64_t> SingleAxis(const Node* reduction) {
  if (!reduction || reduction->GetInt("keepdims", 1) == 0) return std::nullopt;
  const auto axes = ReductionAxes(*reduction);
  return axes && axes->size() == 1 ? std::optional(axes->front()) : std::nullopt;
}

Result<bool> Fuse(Graph& graph, Node& node) {
  if (node.op() != "Div" || node.epilogue() || !node.output()) return false;
  Node* exp = ProducerOf(node.input(0), "Exp");
  Node* sum = ProducerOf(node.input(1), "ReduceSum");
  Node* sub = exp ? ProducerOf(exp->input(0), "Sub") : nullptr;
  Node* max = sub ? ProducerOf(sub->input(1), "ReduceMax") : nullptr;
  const auto axis = SingleAxis(sum);
  if (!axis || SingleAxis(max) != axis || sum->input(0) != exp->output()) return false;
  Value* x = sub->input(0);
  if (max->input(0) != x || !SameType(x, node.output())) return false;
  const std::unordered_set<const Node*> nodes = {&node, exp, sum, sub, max};
  if (!IsClosed(nodes, &node)) return false;
  ASSIGN_OR_RETURN(Node * softmax, BuildNode(graph, "Softmax", "", {x}, {{"axis", *axis}}, &node,
                                             InOrder(nodes, &node)));
  RETURN_IF_ERROR(TakeOver(graph, node.output(), softmax->output()));
  return true;
}

}  // namespace

Result<int> FuseSoftmax(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, Fuse);
}

}  // namespace cairn
