// SPDX-License-Identifier: Apache-2.0
// Profiles made by hand: programs with tasks of chosen types and times.
#pragma once

#include <deque>
#include <string>

#include "report/profile.h"

namespace cairn::testing {

/// Collects tasks of one program and the calls around its runs.
class PlantedProfile {
 public:
  PlantedProfile() {
    program_.model_name = "planted";
    profile_.machine = {"host", "cpu", 2, 100, 20};
  }

  /// Adds a task that took `us` in each run; returns it for changes.
  report::TaskStats& AddTask(const std::string& type, double us, const std::string& kernel = "k") {
    Task& task = tasks_.emplace_back();
    task.op_type = type;
    task.kernel = kernel;
    task.name = type + std::to_string(tasks_.size());
    task.origins = {task.name};
    report::TaskStats stats;
    stats.program = &program_;
    stats.task = &task;
    stats.index = static_cast<uint32_t>(tasks_.size() - 1);
    stats.model_id = 1;
    stats.count = 1;
    stats.total_us = stats.typical_us = stats.min_us = stats.max_us = us;
    profile_.tasks.push_back(stats);
    profile_.total_us += us;
    profile_.cost_us += us;
    return profile_.tasks.back();
  }
  Task& task(const report::TaskStats& stats) { return tasks_[stats.index]; }
  Program& program() { return program_; }

  void AddRun(double begin_us, double us, const Program* program = nullptr) {
    profile::Event& event = events_.emplace_back();
    event.record = {};
    event.record.kind = profile::RecordKind::kRun;
    event.record.task.model_id = 1;
    event.begin_ns = static_cast<int64_t>(begin_us * 1e3);
    event.end_ns = static_cast<int64_t>((begin_us + us) * 1e3);
    profile_.runs.push_back({&event, program != nullptr ? program : &program_, us});
    profile_.run_us += us;
  }
  void AddCall(profile::CallLevel level, const std::string& name, double begin_us, double us) {
    profile::Event event;
    event.record = {};
    event.record.kind = profile::RecordKind::kCall;
    event.record.level = level;
    event.begin_ns = static_cast<int64_t>(begin_us * 1e3);
    event.end_ns = static_cast<int64_t>((begin_us + us) * 1e3);
    event.text = name;
    profile_.raw.events.push_back(event);
  }

  report::Profile& get() { return profile_; }

 private:
  Program program_;
  std::deque<Task> tasks_;
  std::deque<profile::Event> events_;
  report::Profile profile_;
};

}  // namespace cairn::testing
