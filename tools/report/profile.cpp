// SPDX-License-Identifier: Apache-2.0
// Sums over runs.
#include "report/profile.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace cairn::report {
namespace {

using Key = std::tuple<uint32_t, uint32_t, uint32_t>;  // Process, program, task.

double Median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void Add(const profile::Event& event, TaskStats& stats) {
  const double us = event.duration_us();
  stats.min_us = stats.count == 0 ? us : std::min(stats.min_us, us);
  stats.max_us = std::max(stats.max_us, us);
  stats.total_us += us;
  stats.barrier_wait_us += event.record.task.barrier_wait_ns / 1000.0;
  stats.cores = std::max(stats.cores, event.record.task.cores);
  stats.stream = event.record.task.stream;
  ++stats.count;
}

}  // namespace

Result<Profile> LoadProfile(const std::string& folder) {
  Profile result;
  ASSIGN_OR_RETURN(result.raw, profile::ReadProfile(folder));
  result.machine = ReadMachine(folder);
  std::map<Key, TaskStats> tasks;
  std::map<Key, std::vector<double>> times_us;
  for (const profile::Event& event : result.raw.tasks) {
    const profile::TaskPayload& payload = event.record.task;
    const Program* program = result.raw.FindProgram(event);
    if (event.record.kind == profile::RecordKind::kRun) {
      result.runs.push_back({&event, program, event.duration_us()});
      result.run_us += event.duration_us();
    }
    if (event.record.kind != profile::RecordKind::kTask || program == nullptr ||
        payload.task >= program->tasks.size())
      continue;
    const Key key{event.process, payload.program, payload.task};
    TaskStats& stats = tasks[key];
    times_us[key].push_back(event.duration_us());
    stats.program = program;
    stats.task = &program->tasks[payload.task];
    stats.index = payload.task;
    stats.model_id = payload.model_id;
    Add(event, stats);
    result.total_us += event.duration_us();
  }
  for (auto& [key, stats] : tasks) {
    stats.typical_us = Median(times_us[key]);
    result.cost_us += stats.cost_us();
    result.tasks.push_back(stats);
  }
  std::stable_sort(
      result.tasks.begin(), result.tasks.end(),
      [](const TaskStats& a, const TaskStats& b) { return a.cost_us() > b.cost_us(); });
  return result;
}

Roofline RooflineOf(const TaskStats& stats, const Machine& machine) {
  Roofline line;
  const double us = stats.typical_us;
  if (us <= 0) return line;
  line.gflops = stats.task->flops / us / 1e3;
  line.gbytes_per_s = stats.task->traffic_bytes / us / 1e3;
  const double peak = machine.core_gflops * std::max<uint32_t>(stats.cores, 1);
  if (peak > 0) line.compute_percent = 100 * line.gflops / peak;
  if (machine.gbytes_per_s > 0)
    line.bandwidth_percent = 100 * line.gbytes_per_s / machine.gbytes_per_s;
  return line;
}

}  // namespace cairn::report
