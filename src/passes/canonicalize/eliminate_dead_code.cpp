// SPDX-License-Identifier: Apache-2.0
// EliminateDeadCode: drops what no graph output depends on.
#include <algorithm>

#include "passes/passes.h"
#include "passes/rewrite.h"

namespace cairn {
namespace {

/// Outputs of the operator that may be left out when nobody reads them; fixed-arity outputs of
/// control flow and variadic ones keep their positions.
int DropUnusedOutputs(Graph& graph, Node& node) {
  const OpDef* def = FindOp(node.op());
  if (!def || def->variadic_output() || !node.Regions().empty()) return 0;
  int dropped = 0;
  for (size_t i = node.outputs().size(); i-- > 1;) {
    Value* output = node.output(i);
    if (!output || output->num_uses() > 0) continue;
    graph.EraseOutput(&node, i);
    ++dropped;
  }
  return dropped;
}

/// Captures that no region of the node reads.
int DropUnusedCaptures(Node& node) {
  const int64_t captures = node.num_captures();
  const std::vector<Graph*> regions = node.Regions();
  int dropped = 0;
  for (int64_t k = captures; k-- > 0;) {
    const auto from_end = static_cast<size_t>(node.num_captures() - k);
    const auto unused = [&](const Graph* region) {
      return region->inputs()[region->inputs().size() - from_end]->num_uses() == 0;
    };
    if (!std::all_of(regions.begin(), regions.end(), unused)) continue;
    for (Graph* region : regions) region->EraseInput(region->inputs().size() - from_end);
    node.RemoveInput(node.inputs().size() - from_end);
    node.Set("num_captures", node.num_captures() - 1);
    ++dropped;
  }
  return dropped;
}

}  // namespace

Result<int> EliminateDeadCode(Graph& graph, const PassContext& /*context*/) {
  int changes = 0;
  std::vector<Node*> nodes = graph.Nodes();
  std::reverse(nodes.begin(), nodes.end());
  for (Node* node : nodes) {
    if (IsDead(*node)) {
      graph.EraseNode(node);
      ++changes;
      continue;
    }
    changes += DropUnusedOutputs(graph, *node);
    if (node->num_captures() > 0) changes += DropUnusedCaptures(*node);
  }
  return changes + graph.EraseUnusedConstants();
}

}  // namespace cairn
