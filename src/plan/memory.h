// SPDX-License-Identifier: Apache-2.0
// Memory of intermediate tensors: shared in place where a task allows it, and offsets in one arena.
#pragma once

#include <span>
#include <vector>

#include "plan/draft.h"
#include "plan/lifetime.h"

namespace cairn::plan {

/// Lets the first output of a task take over the memory of a reusable input that nobody reads
/// later. Returns how many did.
int ShareInPlace(Draft& draft, std::span<const uint32_t> order);

struct ArenaPlan {
  std::vector<uint64_t> offsets;  ///< One per lifetime.
  uint64_t bytes = 0;
};

/// Offsets such that no two tensors alive at the same step overlap. Largest first into the best
/// fitting gap, then a bounded, deterministic search over placement orders while the arena exceeds
/// `lower_bound` (not with `quickly`).
ArenaPlan PlanArena(std::span<const Lifetime> lifetimes, uint64_t lower_bound,
                    bool quickly = false);

/// One after the other, without reuse.
ArenaPlan PlanArenaWithoutReuse(std::span<const Lifetime> lifetimes);

}  // namespace cairn::plan
