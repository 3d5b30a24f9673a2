// SPDX-License-Identifier: Apache-2.0
// The lowering functions that lowering_list.def refers to.
#pragma once

#include "plan/lowering.h"

namespace cairn::plan {

/// The fallback: the reference library runs the node.
void LowerReference(const LowerContext& context, const Node& node,
                    std::vector<Candidate>& candidates);
/// Any single operator that the element-wise engine knows.
void LowerElementwise(const LowerContext& context, const Node& node,
                      std::vector<Candidate>& candidates);

/// Reshape and its relatives: the same bytes under other dims.
void LowerReshape(const LowerContext& context, const Node& node,
                  std::vector<Candidate>& candidates);

}  // namespace cairn::plan
