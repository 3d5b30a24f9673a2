// SPDX-License-Identifier: Apache-2.0
// Stamps of tasks and of their parts on each core, collected during one profiled run.
#pragma once

#include <array>

#include "device/device.h"
#include "devices/cpu/run_clock.h"
#include "threads/thread_pool.h"

namespace cairn::device {

/// Fills a RunProfile. Tasks are timed end to end: one begins when the one before has ended.
class RunTimer {
 public:
  explicit RunTimer(RunProfile& profile);

  /// Executes the region and stamps each part.
  void RunRegion(threads::RunScope& scope, threads::RegionFn fn, void* context, int num_parts);
  /// The task has ended.
  void EndTask(uint32_t task);
  /// Turns stamps into nanoseconds.
  void Finish();

 private:
  struct Part {
    uint64_t begin_ticks;
    uint64_t end_ticks;
    uint32_t core;
  };
  struct Region {
    RunTimer* timer;
    threads::RegionFn fn;
    void* context;
  };
  static void RunPart(void* region, int index, int count);

  RunProfile& profile_;
  RunClock clock_;
  uint64_t task_begin_;
  uint64_t wait_ticks_ = 0;
  uint32_t num_parts_ = 1;
  size_t first_part_ = 0;  // Of the current task, in the profile.
  std::array<Part, threads::kMaxParts> parts_;
};

}  // namespace cairn::device
