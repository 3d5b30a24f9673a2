// SPDX-License-Identifier: Apache-2.0
// Derives lifetimes from the tasks' operands.
#include "plan/lifetime.h"

#include <algorithm>

namespace cairn::plan {

std::vector<Lifetime> FindLifetimes(const Draft& draft, std::span<const uint32_t> order) {
  std::vector<Lifetime> by_root(draft.tensors.size());
  for (uint32_t step = 0; step < order.size(); ++step) {
    const Task& task = draft.tasks[order[step]].task;
    for (const auto* operands : {&task.inputs, &task.outputs}) {
      for (TensorId id : *operands) {
        if (id == kNoTensor) continue;
        const TensorId root = draft.Locate(id).root;
        if (draft.tensors[root].storage != Storage::kArena) continue;
        Lifetime& lifetime = by_root[root];
        if (lifetime.root == kNoTensor) {
          lifetime = {root, AlignUp(draft.tensors[root].bytes, kArenaAlignment), step, step};
        }
        lifetime.last = step;
      }
    }
  }
  std::erase_if(by_root, [](const Lifetime& lifetime) { return lifetime.root == kNoTensor; });
  return by_root;
}

uint64_t MaxLiveBytes(std::span<const Lifetime> lifetimes, size_t num_steps) {
  std::vector<int64_t> change(num_steps + 1, 0);
  for (const Lifetime& lifetime : lifetimes) {
    change[lifetime.first] += static_cast<int64_t>(lifetime.bytes);
    change[lifetime.last + 1] -= static_cast<int64_t>(lifetime.bytes);
  }
  int64_t live = 0, most = 0;
  for (int64_t step : change) {
    live += step;
    most = std::max(most, live);
  }
  return static_cast<uint64_t>(most);
}

}  // namespace cairn::plan
