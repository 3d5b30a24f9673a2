// SPDX-License-Identifier: Apache-2.0
// Greedy list scheduling by the change of live memory.
#include "plan/order.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "base/check.h"
#include "plan/lifetime.h"

namespace cairn::plan {
namespace {

/// Which task must follow which, and which roots each task touches.
struct Dependencies {
  std::vector<std::vector<uint32_t>> successors;
  std::vector<uint32_t> num_predecessors;
  std::vector<std::vector<TensorId>> roots;  // In the arena, each once.
  std::vector<uint32_t> num_users;           // Tasks that touch a root.
};

struct Writer {
  uint32_t task;
  uint64_t begin, end;  // Bytes of the root.
};

Dependencies FindDependencies(const Draft& draft) {
  Dependencies deps;
  const size_t num_tasks = draft.tasks.size();
  deps.successors.resize(num_tasks);
  deps.num_predecessors.resize(num_tasks, 0);
  deps.roots.resize(num_tasks);
  deps.num_users.resize(draft.tensors.size(), 0);
  std::vector<std::vector<Writer>> writers(draft.tensors.size());
  for (uint32_t t = 0; t < num_tasks; ++t) {
    for (TensorId id : draft.tasks[t].task.outputs) {
      if (id == kNoTensor) continue;
      const Place place = draft.Locate(id);
      writers[place.root].push_back({t, place.offset, place.offset + draft.tensors[id].bytes});
    }
  }
  for (uint32_t t = 0; t < num_tasks; ++t) {
    const Task& task = draft.tasks[t].task;
    std::set<uint32_t> predecessors;
    std::set<TensorId> roots;
    for (TensorId id : task.outputs) {
      if (id != kNoTensor) roots.insert(draft.Locate(id).root);
    }
    for (TensorId id : task.inputs) {
      if (id == kNoTensor) continue;
      const Place place = draft.Locate(id);
      roots.insert(place.root);
      const uint64_t end = place.offset + draft.tensors[id].bytes;
      for (const Writer& writer : writers[place.root]) {
        if (writer.begin < end && place.offset < writer.end && writer.task != t) {
          predecessors.insert(writer.task);
        }
      }
    }
    deps.num_predecessors[t] = static_cast<uint32_t>(predecessors.size());
    for (uint32_t p : predecessors) deps.successors[p].push_back(t);
    for (TensorId root : roots) {
      if (draft.tensors[root].storage != Storage::kArena) continue;
      deps.roots[t].push_back(root);
      ++deps.num_users[root];
    }
  }
  return deps;
}

/// Always runs the ready task that leaves the fewest bytes alive; the earliest among equals.
std::vector<uint32_t> GreedyOrder(const Draft& draft, Dependencies deps) {
  std::vector<bool> live(draft.tensors.size(), false);
  std::set<uint32_t> ready;
  for (uint32_t t = 0; t < draft.tasks.size(); ++t) {
    if (deps.num_predecessors[t] == 0) ready.insert(t);
  }
  auto change = [&](uint32_t t) {
    int64_t bytes = 0;
    for (TensorId root : deps.roots[t]) {
      const auto size = static_cast<int64_t>(draft.tensors[root].bytes);
      if (!live[root]) bytes += size;
      if (deps.num_users[root] == 1) bytes -= size;
    }
    return bytes;
  };
  std::vector<uint32_t> order;
  while (!ready.empty()) {
    uint32_t best = *ready.begin();
    int64_t best_change = std::numeric_limits<int64_t>::max();
    for (uint32_t t : ready) {
      const int64_t bytes = change(t);
      if (bytes < best_change) {
        best = t;
        best_change = bytes;
      }
    }
    ready.erase(best);
    order.push_back(best);
    for (TensorId root : deps.roots[best]) {
      live[root] = true;
      --deps.num_users[root];
    }
    for (uint32_t next : deps.successors[best]) {
      if (--deps.num_predecessors[next] == 0) ready.insert(next);
    }
  }
  CAIRN_CHECK(order.size() == draft.tasks.size(), "tasks depend on each other in a cycle");
  return order;
}

}  // namespace

std::vector<uint32_t> OrderTasks(const Draft& draft) {
  std::vector<uint32_t> given(draft.tasks.size());
  std::iota(given.begin(), given.end(), 0u);
  std::vector<uint32_t> greedy = GreedyOrder(draft, FindDependencies(draft));
  auto peak = [&](const std::vector<uint32_t>& order) {
    return MaxLiveBytes(FindLifetimes(draft, order), order.size());
  };
  return peak(greedy) < peak(given) ? greedy : given;
}

}  // namespace cairn::plan
