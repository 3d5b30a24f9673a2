// SPDX-License-Identifier: Apache-2.0
// FuseRMSNorm: division by the root of the mean square over the last axes.
#include "passes/normalization.h"
#include "passes/passes.h"

namespace cairn {
namespace {

Result<bool> Fuse(Graph& graph, Node& node) {
  if (!node.output() || !IsPlainFloat(node.output()->type().dtype)) return false;
  auto division = MatchRootDivision(node);
  const auto mean = division ? MatchMean(division->radicand) : std::nullopt;
  Value* x = mean ? SquareOf(mean->of) : nullptr;
  if (!x || x != division->numerator) return false;
  NodeSet nodes = std::move(division->nodes);
  nodes.insert({mean->node, mean->of->producer()});
  Node* root = &node;
  const TensorType& type = x->type();
  Value* scale = nullptr;
  if (const auto scaled = MatchTrailingOperand(node.output(), "Mul", mean->axis)) {
    root = scaled->node;
    nodes.insert(root);
    scale = AsTrailing(graph, scaled->operand, *type.dims, mean->axis);
  } else {
    ASSIGN_OR_RETURN(scale, OnesFor(graph, type, mean->axis));
  }
  if (!scale || !IsClosed(nodes, root)) return false;
  ASSIGN_OR_RETURN(Node * fused, BuildNode(graph, "RMSNormalization", "", {x, scale},
                                           {{"axis", mean->axis - type.rank()},
                                            {"epsilon", static_cast<float>(division->epsilon)}},
                                           root, InOrder(nodes, root)));
  RETURN_IF_ERROR(TakeOver(graph, root->output(), fused->output()));
  return true;
}

}  // namespace

Result<int> FuseRMSNorm(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, Fuse);
}

}  // namespace cairn
