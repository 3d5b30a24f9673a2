// SPDX-License-Identifier: Apache-2.0
// When the memory of a draft is in use.
#pragma once

#include <span>
#include <vector>

#include "plan/draft.h"

namespace cairn::plan {

/// The steps (positions in the order of tasks) at which a root tensor holds data somebody needs.
struct Lifetime {
  TensorId root = kNoTensor;
  uint64_t bytes = 0;
  uint32_t first = 0;  ///< Step that writes it first.
  uint32_t last = 0;   ///< Last step that reads or writes it.
};

/// Lifetimes of the roots in the arena that tasks touch, in order of root. `order` lists tasks.
std::vector<Lifetime> FindLifetimes(const Draft& draft, std::span<const uint32_t> order);

/// The most bytes alive at one step: no arena can be smaller.
uint64_t MaxLiveBytes(std::span<const Lifetime> lifetimes, size_t num_steps);

}  // namespace cairn::plan
