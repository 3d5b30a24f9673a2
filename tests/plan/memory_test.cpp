// SPDX-License-Identifier: Apache-2.0
// The arena never holds two live tensors at one place and is close to its lower bound.
#include "plan/memory.h"

#include <gtest/gtest.h>

#include <random>

namespace cairn::plan {
namespace {

std::vector<Lifetime> RandomLifetimes(uint64_t seed, size_t count, uint32_t steps) {
  std::mt19937_64 random(seed);
  std::vector<Lifetime> lifetimes;
  for (size_t i = 0; i < count; ++i) {
    Lifetime lifetime;
    lifetime.root = static_cast<TensorId>(i);
    lifetime.bytes = 64 * (1 + random() % 1000);
    lifetime.first = static_cast<uint32_t>(random() % steps);
    lifetime.last = std::min(steps - 1, lifetime.first + static_cast<uint32_t>(random() % 6));
    lifetimes.push_back(lifetime);
  }
  return lifetimes;
}

TEST(PlanArena, LiveTensorsNeverOverlap) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const auto lifetimes = RandomLifetimes(seed, 5 + seed, 20);
    const uint64_t bound = MaxLiveBytes(lifetimes, 20);
    const ArenaPlan plan = PlanArena(lifetimes, bound);
    EXPECT_GE(plan.bytes, bound);
    for (size_t i = 0; i < lifetimes.size(); ++i) {
      EXPECT_EQ(plan.offsets[i] % kArenaAlignment, 0u);
      EXPECT_LE(plan.offsets[i] + lifetimes[i].bytes, plan.bytes);
      for (size_t j = 0; j < i; ++j) {
        const bool both_live =
            lifetimes[i].first <= lifetimes[j].last && lifetimes[j].first <= lifetimes[i].last;
        const bool apart = plan.offsets[i] + lifetimes[i].bytes <= plan.offsets[j] ||
                           plan.offsets[j] + lifetimes[j].bytes <= plan.offsets[i];
        EXPECT_TRUE(!both_live || apart) << "seed " << seed << ": " << i << " and " << j;
      }
    }
  }
}

TEST(PlanArena, AChainNeedsNoMoreThanItsBound) {
  std::vector<Lifetime> lifetimes;
  for (uint32_t i = 0; i < 40; ++i) lifetimes.push_back({i, 64 * (1 + (i * 37) % 11), i, i + 1});
  const uint64_t bound = MaxLiveBytes(lifetimes, 41);
  EXPECT_EQ(PlanArena(lifetimes, bound).bytes, bound);
}

TEST(PlanArena, IsDeterministic) {
  const auto lifetimes = RandomLifetimes(3, 80, 30);
  EXPECT_EQ(PlanArena(lifetimes, 0).offsets, PlanArena(lifetimes, 0).offsets);
}

TEST(WeightStore, KeepsEqualBytesOnceAndAligned) {
  WeightStore store;
  const std::vector<std::byte> a(100, std::byte{1}), b(100, std::byte{2});
  const uint64_t first = store.Add(a), second = store.Add(b);
  EXPECT_EQ(store.Add(a), first);
  EXPECT_NE(first, second);
  EXPECT_EQ(second % kWeightAlignment, 0u);
}

/// t0 -> task 0 -> t1 -> task 1 -> t2, all of 64 bytes.
Draft Chain() {
  Draft draft;
  for (int i = 0; i < 3; ++i) {
    DraftTensor tensor;
    tensor.dtype = ElementType::kF32;
    tensor.dims = {16};
    tensor.bytes = 64;
    draft.AddTensor(tensor);
  }
  draft.tensors[0].storage = Storage::kInput;
  for (uint32_t i = 0; i < 2; ++i) {
    DraftTask task;
    task.task.inputs = {i};
    task.task.outputs = {i + 1};
    task.reusable_inputs = {0};
    draft.tasks.push_back(task);
  }
  return draft;
}

TEST(ShareInPlace, TakesOverDyingTensorsButNotModelInputs) {
  Draft draft = Chain();
  const std::vector<uint32_t> order = {0, 1};
  EXPECT_EQ(ShareInPlace(draft, order), 1);
  EXPECT_EQ(draft.Locate(2).root, draft.Locate(1).root);
  EXPECT_NE(draft.Locate(1).root, draft.Locate(0).root);
}

TEST(ShareInPlace, LeavesATensorThatIsReadLater) {
  Draft draft = Chain();
  DraftTask reader;
  reader.task.inputs = {1, 2};
  reader.task.outputs = {draft.AddTensor(draft.tensors[2])};
  draft.tasks.push_back(reader);
  const std::vector<uint32_t> order = {0, 1, 2};
  EXPECT_EQ(ShareInPlace(draft, order), 0);
}

}  // namespace
}  // namespace cairn::plan
