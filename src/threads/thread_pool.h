// SPDX-License-Identifier: Apache-2.0
// A pool of threads that executes statically partitioned regions with sub-microsecond hand-off
// inside a run and consumes no processor time between runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace cairn::threads {

/// One part of a region: does share `index` of `count`. May be called for any index on any thread,
/// each index exactly once; different indices run at the same time.
using RegionFn = void (*)(void* context, int index, int count);

/// Most parts one region can have.
inline constexpr int kMaxParts = 256;

/// `num_threads` threads including the caller of a run; `num_threads - 1` workers are created by
/// the constructor, sleep until a RunScope wakes them, and flush denormals to zero. Threads are not
/// pinned: they inherit the creator's CPU set.
class ThreadPool {
 public:
  explicit ThreadPool(int num_threads);
  /// Joins the workers. No RunScope may be alive.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int num_threads() const { return static_cast<int>(workers_.size()) + 1; }

 private:
  friend class RunScope;
  // One part of the current region: `2 * region` while free, `2 * region + 1` once claimed.
  struct alignas(64) Slot {
    std::atomic<uint32_t> claim{0};
  };
  struct alignas(64) Word {
    std::atomic<uint32_t> value{0};
  };

  void WorkerLoop(int worker);
  void Wake();
  void RunRegion(RegionFn fn, void* context, int num_parts);
  void TakeParts(uint32_t region, int first);
  void AwaitParts();

  Word signal_;  // Counts events (scope begins, region published, shut-down): what workers watch.
  Word region_;  // Number of the published region.
  Word remaining_;  // Parts of the region that are not finished; the caller sleeps on it.
  Word parked_;     // Workers asleep, or about to be, on `signal_`.
  std::atomic<bool> scope_open_{false}, stop_{false}, caller_parked_{false};
  // Of the published region. Atomic because a late worker may look while the next one is published;
  // what it reads then is not used, for its claim fails.
  std::atomic<RegionFn> fn_{nullptr};
  std::atomic<void*> context_{nullptr};
  std::atomic<int> num_parts_{0};
  std::unique_ptr<Slot[]> slots_;
  std::vector<std::thread> workers_;
  std::mutex run_mutex_;  // Held by the RunScope that uses the workers.
};

/// One run, e.g. one inference: wakes the workers at its beginning, ahead of need, and lets them
/// sleep at its end. Between regions workers spin for a short bounded time, then sleep. Denormals
/// are flushed on the calling thread while the scope lives, and the former mode is restored.
///
/// When another run uses the pool already (or `pool` is null) every region executes on the caller
/// alone, with the same parts and therefore the same results.
class RunScope {
 public:
  explicit RunScope(ThreadPool* pool);
  ~RunScope();
  RunScope(const RunScope&) = delete;
  RunScope& operator=(const RunScope&) = delete;

  /// Executes parts 0..num_parts-1 on the caller and the workers and returns when all have ended;
  /// their effects are visible to the caller. `num_parts` is in [1, kMaxParts]. The caller takes
  /// the parts that no worker has begun, so a worker that gets no processor delays nobody.
  void Run(RegionFn fn, void* context, int num_parts);

  /// As Run, on the caller alone: for regions of less than some ten microseconds of work.
  void RunOnCaller(RegionFn fn, void* context, int num_parts);

  /// True when regions are shared with workers.
  bool parallel() const { return lock_.owns_lock(); }

 private:
  ThreadPool* pool_;
  std::unique_lock<std::mutex> lock_;
  uint64_t float_mode_;
};

}  // namespace cairn::threads
