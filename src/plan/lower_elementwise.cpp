// SPDX-License-Identifier: Apache-2.0
// Lowers element-wise operators and groups of them to the element-wise engine.
#include "plan/lowerings.h"

namespace cairn::plan {

void LowerElementwise(const LowerContext& /*context*/, const Node& /*node*/,
                      std::vector<Candidate>& /*candidates*/) {}

}  // namespace cairn::plan
