// SPDX-License-Identifier: Apache-2.0
// Global choice: one candidate per node so that kernels and layout conversions together cost least.
#pragma once

#include <vector>

#include "plan/lowering.h"

namespace cairn::plan {

/// A node with the ways to compute it.
struct NodeChoice {
  const Node* node = nullptr;
  std::vector<Candidate> candidates;  ///< Never empty.
  size_t chosen = 0;
};

/// Sets `chosen` of every node (given in graph order) to the choice with the least sum of kernel
/// cycles, conversion cycles (one conversion per value and layout) and `cycles_per_byte` * packed
/// bytes.
///
/// Dynamic programming over the frontier of live values: a state says in which layouts each live
/// value exists. Exact as long as the frontier has few enough states, a beam search beyond.
void ChooseCandidates(const LowerContext& context, const Graph& graph,
                      std::vector<NodeChoice>& choices, double cycles_per_byte);

}  // namespace cairn::plan
