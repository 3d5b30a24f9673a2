// SPDX-License-Identifier: Apache-2.0
// The pool: every part exactly once, visible effects, idle without processor time, float modes.
#include "threads/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

#include "threads/denormals.h"

namespace cairn::threads {
namespace {

void CountPart(void* context, int index, int count) {
  auto& counts = *static_cast<std::vector<int>*>(context);
  ASSERT_EQ(count, static_cast<int>(counts.size()));
  ++counts[index];
}

TEST(ThreadPool, RunsEveryPartOnce) {
  for (int threads : {1, 2, 3, 5}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.num_threads(), threads);
    RunScope scope(&pool);
    EXPECT_EQ(scope.parallel(), threads > 1);
    for (int parts : {1, 2, 3, 7, kMaxParts}) {
      std::vector<int> counts(parts, 0);
      scope.Run(CountPart, &counts, parts);
      scope.RunOnCaller(CountPart, &counts, parts);
      for (int count : counts) ASSERT_EQ(count, 2);
    }
  }
}

// Each region reads what all parts of the region before wrote.
TEST(ThreadPool, RegionsSeeEarlierRegions) {
  constexpr int kParts = 3, kRegions = 5000;
  struct State {
    long value[kParts] = {1, 1, 1};
    long next[kParts] = {};
  } state;
  ThreadPool pool(kParts);
  for (int run = 0; run < 3; ++run) {
    RunScope scope(&pool);
    for (int i = 0; i < kRegions; ++i) {
      scope.Run(
          [](void* context, int index, int) {
            auto& s = *static_cast<State*>(context);
            s.next[index] = (s.value[0] + s.value[1] + s.value[2] + index) % 1000003;
          },
          &state, kParts);
      scope.Run(
          [](void* context, int index, int) {
            auto& s = *static_cast<State*>(context);
            s.value[index] = s.next[index];
          },
          &state, kParts);
    }
  }
  State expected;
  for (int i = 0; i < 3 * kRegions; ++i) {
    const long sum = expected.value[0] + expected.value[1] + expected.value[2];
    for (int k = 0; k < kParts; ++k) expected.value[k] = (sum + k) % 1000003;
  }
  for (int k = 0; k < kParts; ++k) EXPECT_EQ(state.value[k], expected.value[k]);
}

TEST(ThreadPool, WakesWorkersThatFellAsleepInsideARun) {
  ThreadPool pool(3);
  RunScope scope(&pool);
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::vector<int> counts(3, 0);
    scope.Run(CountPart, &counts, 3);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0), 3);
  }
}

TEST(ThreadPool, SecondScopeRunsOnItsCallerAlone) {
  ThreadPool pool(2);
  RunScope first(&pool);
  RunScope nested(&pool);
  EXPECT_TRUE(first.parallel());
  EXPECT_FALSE(nested.parallel());
  std::vector<int> counts(4, 0);
  nested.Run(CountPart, &counts, 4);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0), 4);
  RunScope without_pool(nullptr);
  without_pool.Run(CountPart, &counts, 4);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0), 8);
}

TEST(ThreadPool, ConcurrentCallersAllFinish) {
  ThreadPool pool(3);
  std::vector<std::thread> callers;
  std::vector<int> totals(4, 0);
  for (int c = 0; c < 4; ++c) {
    callers.emplace_back([&pool, &total = totals[c]] {
      for (int run = 0; run < 200; ++run) {
        RunScope scope(&pool);
        std::vector<int> counts(3, 0);
        for (int i = 0; i < 5; ++i) scope.Run(CountPart, &counts, 3);
        total += counts[0] + counts[1] + counts[2];
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (int total : totals) EXPECT_EQ(total, 200 * 15);
}

TEST(ThreadPool, IdlePoolUsesNoProcessorTime) {
  const auto cpu_us = [] {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000L + usage.ru_utime.tv_usec +
           usage.ru_stime.tv_usec;
  };
  ThreadPool pool(4);
  {
    RunScope scope(&pool);
    std::vector<int> counts(4, 0);
    scope.Run(CountPart, &counts, 4);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const long before = cpu_us();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_LT(cpu_us() - before, 20000);
}

TEST(ThreadPool, FlushesDenormalsInsideARunOnly) {
  volatile float tiny = 1e-38f, factor = 0.01f;
  ASSERT_GT(tiny * factor, 0.0f);
  struct State {
    volatile float* tiny;
    float product[8];
  } state{&tiny, {}};
  ThreadPool pool(2);
  {
    RunScope scope(&pool);
    scope.Run(
        [](void* context, int index, int) {
          auto& s = *static_cast<State*>(context);
          s.product[index] = *s.tiny * 0.01f;
        },
        &state, 8);
    EXPECT_EQ(tiny * factor, 0.0f);
  }
  for (float product : state.product) EXPECT_EQ(product, 0.0f);
  EXPECT_GT(tiny * factor, 0.0f);
}

}  // namespace
}  // namespace cairn::threads
