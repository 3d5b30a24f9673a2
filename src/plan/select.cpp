// SPDX-License-Identifier: Apache-2.0
// A price on packed bytes is raised until the choice fits the budget (Lagrangian relaxation).
#include "plan/select.h"

#include <unordered_set>

#include "plan/prepared.h"
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

bool IsPrepared(const Candidate& candidate, const PreparedChoice& choice) {
  return candidate.kernel == choice.kernel && candidate.algorithm == choice.algorithm &&
         candidate.inputs == choice.inputs && candidate.outputs == choice.outputs;
}

/// The prepared candidate; the cheapest where that one does not fit the shape or none was prepared.
size_t PreparedCandidate(const PreparedForms& prepared, const NodeChoice& node) {
  size_t cheapest = 0;
  const auto found = prepared.choices.find(node.node->name());
  for (size_t i = 0; i < node.candidates.size(); ++i) {
    if (found != prepared.choices.end() && IsPrepared(node.candidates[i], found->second)) return i;
    if (node.candidates[i].cycles < node.candidates[cheapest].cycles) cheapest = i;
  }
  return cheapest;
}

void RecordChoices(const std::vector<NodeChoice>& choices, PreparedForms& prepared) {
  for (const NodeChoice& node : choices) {
    const Candidate& chosen = node.candidates[node.chosen];
    prepared.choices[node.node->name()] = {chosen.kernel, chosen.algorithm, chosen.inputs,
                                           chosen.outputs};
  }
}

Result<std::vector<NodeChoice>> SearchKernels(const LowerContext& context, const Graph& graph,
                                              std::vector<std::string>& warnings);

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
  PreparedForms* prepared = context.options.prepared;
  if (!prepared || prepared->recording) {
    ASSIGN_OR_RETURN(std::vector<NodeChoice> choices, SearchKernels(context, graph, warnings));
    if (prepared) RecordChoices(choices, *prepared);
    return choices;
  }
  std::vector<NodeChoice> choices;
  for (const Node* node : graph.Nodes()) {
    NodeChoice choice{node, FindCandidates(context, *node), 0};
    choice.chosen = PreparedCandidate(*prepared, choice);
    choices.push_back(std::move(choice));
  }
  return choices;
}

namespace {

Result<std::vector<NodeChoice>> SearchKernels(const LowerContext& context, const Graph& graph,
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

}  // namespace
}  // namespace cairn::plan
