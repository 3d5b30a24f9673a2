// SPDX-License-Identifier: Apache-2.0
// The order in which tasks run.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/draft.h"

namespace cairn::plan {

/// An order that respects every data dependency and whose peak of live bytes is the least of the
/// orders tried: the draft's own and a greedy one that frees memory first.
std::vector<uint32_t> OrderTasks(const Draft& draft);

}  // namespace cairn::plan
