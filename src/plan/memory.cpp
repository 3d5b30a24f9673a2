// SPDX-License-Identifier: Apache-2.0
// In-place sharing and arena offsets.
#include "plan/memory.h"

#include <algorithm>
#include <numeric>

namespace cairn::plan {
namespace {

struct Span {
  uint64_t begin, end;
};

/// The start of the smallest gap between `taken` (sorted by begin) that holds `bytes`.
uint64_t BestGap(const std::vector<Span>& taken, uint64_t bytes) {
  uint64_t best = UINT64_MAX, best_gap = UINT64_MAX, top = 0;
  for (const Span& span : taken) {
    if (span.begin > top) {
      const uint64_t gap = span.begin - top;
      if (gap >= bytes && gap < best_gap) {
        best = top;
        best_gap = gap;
      }
    }
    top = std::max(top, span.end);
  }
  return best == UINT64_MAX ? top : best;
}

/// Places tensors one by one in the given sequence.
ArenaPlan PlaceInSequence(std::span<const Lifetime> lifetimes,
                          const std::vector<uint32_t>& sequence) {
  ArenaPlan plan;
  plan.offsets.assign(lifetimes.size(), 0);
  std::vector<uint32_t> placed;  // Sorted by offset.
  std::vector<Span> taken;
  for (uint32_t i : sequence) {
    taken.clear();
    for (uint32_t j : placed) {
      if (lifetimes[j].first <= lifetimes[i].last && lifetimes[i].first <= lifetimes[j].last) {
        taken.push_back({plan.offsets[j], plan.offsets[j] + lifetimes[j].bytes});
      }
    }
    plan.offsets[i] = BestGap(taken, lifetimes[i].bytes);
    plan.bytes = std::max(plan.bytes, plan.offsets[i] + lifetimes[i].bytes);
    auto at = std::upper_bound(placed.begin(), placed.end(), i, [&](uint32_t a, uint32_t b) {
      return plan.offsets[a] < plan.offsets[b];
    });
    placed.insert(at, i);
  }
  return plan;
}

template <class Key>
std::vector<uint32_t> SequenceBy(size_t count, Key key) {
  std::vector<uint32_t> sequence(count);
  std::iota(sequence.begin(), sequence.end(), 0u);
  std::stable_sort(sequence.begin(), sequence.end(),
                   [&](uint32_t a, uint32_t b) { return key(a) > key(b); });
  return sequence;
}

/// Moves the tensors that reach the arena's top to the front of the sequence, or swaps two.
void Perturb(std::span<const Lifetime> lifetimes, const ArenaPlan& plan,
             std::vector<uint32_t>& sequence, uint64_t& random) {
  auto next = [&random](size_t limit) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return static_cast<size_t>((random >> 33) % limit);
  };
  for (size_t i = 0; i < sequence.size(); ++i) {
    const uint32_t t = sequence[i];
    if (plan.offsets[t] + lifetimes[t].bytes < plan.bytes) continue;
    const size_t to = i == 0 ? 0 : next(i);
    std::rotate(sequence.begin() + static_cast<ptrdiff_t>(to),
                sequence.begin() + static_cast<ptrdiff_t>(i),
                sequence.begin() + static_cast<ptrdiff_t>(i) + 1);
  }
  std::swap(sequence[next(sequence.size())], sequence[next(sequence.size())]);
}

bool MayTakeOver(const Draft& draft, const DraftTask& task, TensorId input, TensorId output) {
  const TensorId from = draft.Locate(input).root, to = draft.Locate(output).root;
  if (from == to || draft.tensors[from].storage != Storage::kArena) return false;
  const Storage storage = draft.tensors[to].storage;
  if (storage != Storage::kArena && storage != Storage::kOutput) return false;
  if (!draft.FillsRoot(input) || !draft.FillsRoot(output)) return false;
  if (draft.tensors[input].bytes != draft.tensors[output].bytes) return false;
  for (uint32_t i = 0; i < task.task.inputs.size(); ++i) {
    const TensorId other = task.task.inputs[i];
    if (other == kNoTensor || draft.Locate(other).root != from) continue;
    if (std::find(task.reusable_inputs.begin(), task.reusable_inputs.end(), i) ==
        task.reusable_inputs.end()) {
      return false;
    }
  }
  return true;
}

}  // namespace

int ShareInPlace(Draft& draft, std::span<const uint32_t> order) {
  std::vector<uint32_t> last(draft.tensors.size(), 0);
  for (uint32_t step = 0; step < order.size(); ++step) {
    const Task& task = draft.tasks[order[step]].task;
    for (const auto* operands : {&task.inputs, &task.outputs}) {
      for (TensorId id : *operands) {
        if (id != kNoTensor) last[draft.Locate(id).root] = step;
      }
    }
  }
  int shared = 0;
  for (uint32_t step = 0; step < order.size(); ++step) {
    const DraftTask& task = draft.tasks[order[step]];
    for (uint32_t i : task.reusable_inputs) {
      const TensorId input = task.task.inputs[i], output = task.task.outputs[0];
      if (input == kNoTensor || !MayTakeOver(draft, task, input, output)) continue;
      const TensorId from = draft.Locate(input).root, to = draft.Locate(output).root;
      if (last[from] != step) continue;
      if (draft.tensors[to].storage == Storage::kArena) {
        draft.PlaceInside(to, from, 0);
        last[from] = last[to];
      } else {
        draft.PlaceInside(from, to, 0);
      }
      ++shared;
      break;
    }
  }
  return shared;
}

ArenaPlan PlanArena(std::span<const Lifetime> lifetimes, uint64_t lower_bound, bool quickly) {
  const size_t count = lifetimes.size();
  if (count == 0) return {};
  auto by_size = SequenceBy(count, [&](uint32_t i) { return lifetimes[i].bytes; });
  auto by_area = SequenceBy(count, [&](uint32_t i) {
    return lifetimes[i].bytes * (lifetimes[i].last - lifetimes[i].first + 1);
  });
  auto by_length =
      SequenceBy(count, [&](uint32_t i) { return lifetimes[i].last - lifetimes[i].first; });
  auto by_end = SequenceBy(count, [&](uint32_t i) { return ~uint64_t{lifetimes[i].first}; });
  ArenaPlan best;
  std::vector<uint32_t> best_sequence;
  for (auto* sequence : {&by_size, &by_area, &by_length, &by_end}) {
    ArenaPlan plan = PlaceInSequence(lifetimes, *sequence);
    if (best_sequence.empty() || plan.bytes < best.bytes) {
      best = std::move(plan);
      best_sequence = *sequence;
    }
    if (best.bytes <= lower_bound) return best;
  }
  if (quickly) return best;
  // About a second of work at most, whatever the number of tensors.
  const size_t rounds = std::clamp<size_t>(40'000'000 / (count * count + 1), 8, 4000);
  uint64_t random = 0x853c49e6748fea9b;
  for (size_t round = 0; round < rounds && best.bytes > lower_bound; ++round) {
    std::vector<uint32_t> sequence = best_sequence;
    Perturb(lifetimes, best, sequence, random);
    ArenaPlan plan = PlaceInSequence(lifetimes, sequence);
    if (plan.bytes <= best.bytes) {
      best = std::move(plan);
      best_sequence = std::move(sequence);
    }
  }
  return best;
}

ArenaPlan PlanArenaWithoutReuse(std::span<const Lifetime> lifetimes) {
  ArenaPlan plan;
  for (const Lifetime& lifetime : lifetimes) {
    plan.offsets.push_back(plan.bytes);
    plan.bytes += lifetime.bytes;
  }
  return plan;
}

}  // namespace cairn::plan
