// SPDX-License-Identifier: Apache-2.0
// Stamping of regions and conversion of a run's stamps.
#include "devices/cpu/run_timer.h"

#include <sched.h>

#include <algorithm>

namespace cairn::device {

RunTimer::RunTimer(RunProfile& profile) : profile_(profile), task_begin_(clock_.Ticks()) {}

void RunTimer::RunPart(void* region, int index, int count) {
  const Region& self = *static_cast<Region*>(region);
  Part& part = self.timer->parts_[static_cast<size_t>(index)];
  part.begin_ticks = self.timer->clock_.Ticks();
  self.fn(self.context, index, count);
  part.end_ticks = self.timer->clock_.Ticks();
  part.core = static_cast<uint32_t>(std::max(::sched_getcpu(), 0));
}

void RunTimer::RunRegion(threads::RunScope& scope, threads::RegionFn fn, void* context,
                         int num_parts) {
  Region region{this, fn, context};
  scope.Run(RunPart, &region, num_parts);
  const uint64_t end = clock_.Ticks();
  num_parts_ = std::max(num_parts_, static_cast<uint32_t>(num_parts));
  for (int i = 0; i < num_parts; ++i) {
    const Part& part = parts_[static_cast<size_t>(i)];
    // One core that does part after part waits for nobody.
    if (scope.parallel() && end > part.end_ticks) wait_ticks_ += end - part.end_ticks;
    profile_.parts.push_back({0, part.core, static_cast<int64_t>(part.begin_ticks),
                              static_cast<int64_t>(part.end_ticks)});
  }
}

void RunTimer::EndTask(uint32_t task) {
  const uint64_t end = clock_.Ticks();
  profile_.tasks.push_back({task, static_cast<int64_t>(task_begin_), static_cast<int64_t>(end),
                            num_parts_, static_cast<int64_t>(wait_ticks_)});
  for (; first_part_ < profile_.parts.size(); ++first_part_)
    profile_.parts[first_part_].task = task;
  task_begin_ = end;
  wait_ticks_ = 0;
  num_parts_ = 1;
}

void RunTimer::Finish() {
  clock_.Stop();
  const auto convert = [this](int64_t& time) { time = clock_.Ns(static_cast<uint64_t>(time)); };
  for (TaskTime& task : profile_.tasks) {
    const auto wait_end = static_cast<uint64_t>(task.begin_ns + task.barrier_wait_ns);
    const int64_t begin = clock_.Ns(static_cast<uint64_t>(task.begin_ns));
    task.barrier_wait_ns = clock_.Ns(wait_end) - begin;
    task.begin_ns = begin;
    convert(task.end_ns);
  }
  for (PartTime& part : profile_.parts) {
    convert(part.begin_ns);
    convert(part.end_ns);
  }
}

}  // namespace cairn::device
