// SPDX-License-Identifier: Apache-2.0
// A price on packed bytes is raised until the choice fits the budget (Lagrangian relaxation).
#include "plan/select.h"

#include <unordered_set>

#include "plan/tune.h"

namespace cairn::plan {

bool ExactChoice::Wants(const Node& node) const {
  const auto names = [&node](const Names& list) {
    return list.contains(node.name()) ||
           std::any_of(node.origins().begin(), node.origins().end(),
                       [&](const std::string& origin) { return list.contains(origin); });
  };
  if (names(nodes)) return true;
  if (names(loose_nodes)) return false;
  if (ops.contains(node.op())) return true;
  return all && !loose_ops.contains(node.op());
}
namespace {

uint64_t PackedBytes(const std::vector<NodeChoice>& choices) {
  uint64_t total = 0;
  for (const NodeChoice& choice : choices) total += choice.candidates[choice.chosen].packed_bytes;
  return total;
}

/// What no choice can go below.
uint64_t LeastPackedBytes(const std::vector<NodeChoice>& choices) {
  uint64_t total = 0;
  for (const NodeChoice& choice : choices) {
    uint64_t least = UINT64_MAX;
    for (const Candidate& candidate : choice.candidates) {
      least = std::min(least, candidate.packed_bytes);
    }
    total += least;
  }
  return total;
}

}  // namespace

uint64_t ConstantBytes(const Graph& graph) {
  std::unordered_set<const std::byte*> seen;
  uint64_t total = 0;
  for (const Node* node : graph.Nodes()) {
    for (const Value* input : node->inputs()) {
      if (!input || !input->is_constant()) continue;
      if (seen.insert(input->constant().bytes()).second) total += input->constant().num_bytes();
    }
  }
  return total;
}

Result<std::vector<NodeChoice>> SelectKernels(const LowerContext& context, const Graph& graph,
                                              std::vector<std::string>& warnings) {
  std::vector<NodeChoice> choices;
  for (const Node* node : graph.Nodes()) {
    choices.push_back({node, FindCandidates(context, *node), 0});
  }
  ChooseCandidates(context, graph, choices, 0);
  if (context.options.tune) {
    RETURN_IF_ERROR(TuneCandidates(context, graph, choices, warnings));
    ChooseCandidates(context, graph, choices, 0);
  }
  const auto budget = static_cast<uint64_t>(context.options.weight_budget *
                                            static_cast<double>(ConstantBytes(graph)));
  const uint64_t target = std::max(budget, LeastPackedBytes(choices));
  if (PackedBytes(choices) <= target) return choices;

  // At `high` the choice fits, at `low` it does not; prices are cycles per packed byte.
  double low = 0, high = 1.0 / 1024;
  for (int i = 0; i < 24; ++i, low = high, high *= 4) {
    ChooseCandidates(context, graph, choices, high);
    if (PackedBytes(choices) <= target) break;
  }
  for (int i = 0; i < 8; ++i) {
    const double middle = (low + high) / 2;
    ChooseCandidates(context, graph, choices, middle);
    (PackedBytes(choices) <= target ? high : low) = middle;
  }
  ChooseCandidates(context, graph, choices, high);
  return choices;
}

}  // namespace cairn::plan
