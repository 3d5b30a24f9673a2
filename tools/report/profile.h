// SPDX-License-Identifier: Apache-2.0
// A profile as tables and reports see it: runs, and tasks with their times over all runs.
#pragma once

#include <string>
#include <vector>

#include "profile/reader.h"
#include "report/machine_file.h"

namespace cairn::report {

/// One task of one loaded model over all its runs.
struct TaskStats {
  const Program* program = nullptr;
  const Task* task = nullptr;
  uint32_t index = 0;  ///< In the program.
  uint32_t model_id = 0;
  uint32_t stream = 0;  ///< Of the last run.
  uint64_t count = 0;
  double total_us = 0, min_us = 0, max_us = 0;
  double typical_us = 0;       ///< Median over the runs: other load on the machine hardly counts.
  double barrier_wait_us = 0;  ///< Of all its cores, added over the runs.
  uint32_t cores = 1;

  /// What all runs cost without disturbance.
  double cost_us() const { return typical_us * static_cast<double>(count); }
  bool on_reference() const { return task->kernel == "reference"; }
  bool is_conversion() const { return task->op_type == "TransData"; }
  /// Moves data without computing: TransData and the model's own transposes.
  bool is_layout_work() const { return is_conversion() || task->op_type == "Transpose"; }
};

struct RunEntry {
  const profile::Event* event = nullptr;
  const Program* program = nullptr;
  double us = 0;
};

/// Movable only: `runs` point into `raw`.
struct Profile {
  Profile() = default;
  Profile(Profile&&) = default;
  Profile& operator=(Profile&&) = default;

  profile::RawProfile raw;
  Machine machine;
  std::vector<RunEntry> runs;
  std::vector<TaskStats> tasks;  ///< Largest cost first.
  double run_us = 0;             ///< Wall time of all runs, as measured.
  double total_us = 0;           ///< Of all tasks, as measured; at most run_us.
  double cost_us = 0;            ///< Of all tasks without disturbance.

  /// The part of all tasks' cost that `us` is.
  double share(double us) const { return cost_us > 0 ? us / cost_us : 0; }
  /// Mean cost of a run without disturbance.
  double typical_run_us() const {
    return runs.empty() ? 0 : cost_us / static_cast<double>(runs.size());
  }
};

/// Reads and adds up. kNotFound when `folder` is no profile folder.
Result<Profile> LoadProfile(const std::string& folder);

/// How near a task comes to the machine's roofs, from its typical time.
struct Roofline {
  double gflops = 0, gbytes_per_s = 0;
  double compute_percent = 0;    ///< Of the multiply-add peak of its cores.
  double bandwidth_percent = 0;  ///< Of the bandwidth of main memory; caches can exceed it.
};
Roofline RooflineOf(const TaskStats& stats, const Machine& machine);

}  // namespace cairn::report
