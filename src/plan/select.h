// SPDX-License-Identifier: Apache-2.0
// Selection of kernels and algorithms within the budget for packed constants.
#pragma once

#include "plan/layout.h"

namespace cairn::plan {

/// Bytes of all distinct constants that nodes read.
uint64_t ConstantBytes(const Graph& graph);

/// Finds the candidates of every node of `graph` and chooses among them: the cheapest plan whose
/// packed constants stay within options.weight_budget times the constants, as near as a price per
/// byte gets. With options.tune heavy candidates are timed first; a bank that cannot be kept is a
/// warning.
Result<std::vector<NodeChoice>> SelectKernels(const LowerContext& context, const Graph& graph,
                                              std::vector<std::string>& warnings);

}  // namespace cairn::plan
