// SPDX-License-Identifier: Apache-2.0
// Tables of operators: op_summary, op_statistic, task_time, step_trace.
#include <algorithm>
#include <array>
#include <map>

#include "base/strings.h"
#include "report/csv_file.h"
#include "report/tables.h"
#include "report/tensor_text.h"

namespace cairn::report {
namespace {

/// Columns of the default metric group; hardware counters that a CPU does not have.
constexpr std::array kPipeColumns{
    "vec_time(us)",  "vec_ratio",     "mac_time(us)",     "mac_ratio",     "scalar_time(us)",
    "scalar_ratio",  "mte1_time(us)", "mte1_ratio",       "mte2_time(us)", "mte2_ratio",
    "mte3_time(us)", "mte3_ratio",    "icache_miss_rate", "memory_bound",  "cube_utilization(%)"};

std::vector<std::string> SummaryHeader() {
  std::vector<std::string> header{"Device_id",
                                  "Model ID",
                                  "Task ID",
                                  "Stream ID",
                                  "Op Name",
                                  "OP Type",
                                  "OP State",
                                  "Task Type",
                                  "Task Start Time(us)",
                                  "Task Duration(us)",
                                  "Task Wait Time(us)",
                                  "Block Num",
                                  "Mix Block Num",
                                  "HF32 Eligible",
                                  "Input Shapes",
                                  "Input Data Types",
                                  "Input Formats",
                                  "Output Shapes",
                                  "Output Data Types",
                                  "Output Formats",
                                  "Context ID",
                                  "aicore_time(us)",
                                  "total_cycles"};
  header.insert(header.end(), kPipeColumns.begin(), kPipeColumns.end());
  // Ours, behind the public ones: readers find columns by name.
  for (const char* name : {"Kernel", "Algorithm", "FLOP", "Bytes", "GFLOP/s", "GB/s", "FMA Roof(%)",
                           "Bandwidth Roof(%)", "Barrier Wait(us)", "Origins"})
    header.push_back(name);
  return header;
}

/// What does not change from run to run.
struct TaskCells {
  std::vector<std::string> attributes;  ///< Input Shapes to Output Formats.
  const Task* task;
};

TaskCells Describe(const Program& program, const Task& task) {
  const OperandText in = DescribeOperands(program, task.inputs);
  const OperandText out = DescribeOperands(program, task.outputs);
  return {{in.shapes, in.types, in.formats, out.shapes, out.types, out.formats}, &task};
}

/// "conv2d_f32_winograd4" => "winograd4" and the like; "N/A" for kernels without one.
std::string AlgorithmOf(const Task& task) {
  const std::string algorithm = task.GetString("algorithm", "");
  if (!algorithm.empty()) return algorithm;
  const size_t last = task.kernel.rfind('_');
  const std::string tail = last == std::string::npos ? "" : task.kernel.substr(last + 1);
  return tail.empty() || tail == "f32" || tail == "f16" ? "N/A" : tail;
}

/// A row of op_summary; `previous_end_ns` is the end of the task before on the device.
std::vector<std::string> SummaryRow(const profile::Event& event, const TaskCells& cells,
                                    int64_t previous_end_ns, const Machine& machine,
                                    bool with_attributes) {
  const profile::TaskPayload& payload = event.record.task;
  const Task& task = *cells.task;
  const double us = event.duration_us();
  const double wait_us = std::max<int64_t>(0, event.begin_ns - previous_end_ns) / 1000.0;
  std::vector<std::string> row{StrCat(payload.device),
                               StrCat(payload.model_id),
                               StrCat(payload.task),
                               StrCat(payload.stream),
                               task.name,
                               with_attributes ? task.op_type : "N/A",
                               with_attributes ? "static" : "N/A",
                               TaskTypeText(task),
                               TimeCell(event.begin_ns),
                               Us(us),
                               Us(previous_end_ns == 0 ? 0 : wait_us),
                               with_attributes ? StrCat(payload.cores) : "N/A",
                               with_attributes ? "0" : "N/A",
                               with_attributes ? "NO" : "N/A"};
  for (const std::string& cell : cells.attributes) row.push_back(with_attributes ? cell : "N/A");
  row.push_back("N/A");
  const bool on_core = task.kernel != "reference";
  row.push_back(with_attributes && on_core ? Us(us) : "N/A");
  row.insert(row.end(), 1 + kPipeColumns.size(), "N/A");
  if (!with_attributes) {
    row.insert(row.end(), 10, "N/A");
    return row;
  }
  TaskStats stats;
  stats.task = &task;
  stats.count = 1;
  stats.typical_us = us;
  stats.cores = payload.cores;
  const Roofline roof = RooflineOf(stats, machine);
  row.insert(row.end(),
             {task.kernel, AlgorithmOf(task), Fixed(task.flops, 0), Fixed(task.traffic_bytes, 0),
              Fixed(roof.gflops, 2), Fixed(roof.gbytes_per_s, 2), Fixed(roof.compute_percent, 1),
              Fixed(roof.bandwidth_percent, 1), Us(payload.barrier_wait_ns / 1000.0),
              task.origins.empty() ? "N/A" : StrJoin(task.origins, ";")});
  return row;
}

/// Whether shapes and types were asked for (`task_time` above l0).
bool HasAttributes(const Profile& profile) { return !profile.raw.times_only; }

std::string KernelTypeText(const Task& task) {
  return task.kernel == "reference" ? "KERNEL_AICPU" : "KERNEL_AICORE";
}

/// Calls `visit(event, program, task)` for each task record that has a description, by start.
template <class Visit>
void ForEachTask(const Profile& profile, Visit visit) {
  for (const profile::Event& event : profile.raw.tasks) {
    if (event.record.kind != profile::RecordKind::kTask) continue;
    const Program* program = profile.raw.FindProgram(event);
    if (program == nullptr || event.record.task.task >= program->tasks.size()) continue;
    visit(event, *program, program->tasks[event.record.task.task]);
  }
}

}  // namespace

Status WriteOpSummary(const Profile& profile, const std::string& folder, const std::string& stamp) {
  CsvFile csv(folder, "op_summary", stamp, SummaryHeader());
  std::map<const Task*, TaskCells> cells;
  std::map<uint32_t, int64_t> previous_end_ns;  // Of each device.
  const bool with_attributes = HasAttributes(profile);
  ForEachTask(profile, [&](const profile::Event& event, const Program& program, const Task& task) {
    auto found = cells.find(&task);
    if (found == cells.end()) found = cells.emplace(&task, Describe(program, task)).first;
    int64_t& end_ns = previous_end_ns[event.record.task.device];
    csv.Add(SummaryRow(event, found->second, end_ns, profile.machine, with_attributes));
    end_ns = event.end_ns;
  });
  return csv.Write();
}

Status WriteOpStatistic(const Profile& profile, const std::string& folder,
                        const std::string& stamp) {
  if (!HasAttributes(profile)) return OkStatus();
  struct Sums {
    uint64_t count = 0;
    double total_us = 0, min_us = 0, max_us = 0;
  };
  std::map<std::pair<std::string, std::string>, Sums> types;
  for (const TaskStats& task : profile.tasks) {
    Sums& sums = types[{task.task->op_type, TaskTypeText(*task.task)}];
    sums.min_us = sums.count == 0 ? task.min_us : std::min(sums.min_us, task.min_us);
    sums.max_us = std::max(sums.max_us, task.max_us);
    sums.count += task.count;
    sums.total_us += task.total_us;
  }
  std::vector<std::pair<std::pair<std::string, std::string>, Sums>> order(types.begin(),
                                                                          types.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.second.total_us > b.second.total_us;
  });
  CsvFile csv(folder, "op_statistic", stamp,
              {"Device_id", "OP Type", "Core Type", "Count", "Total Time(us)", "Min Time(us)",
               "Avg Time(us)", "Max Time(us)", "Ratio(%)"});
  for (const auto& [type, sums] : order)
    csv.Add({"0", type.first, type.second, StrCat(sums.count), Us(sums.total_us), Us(sums.min_us),
             Us(sums.total_us / static_cast<double>(sums.count)), Us(sums.max_us),
             Fixed(100 * sums.total_us / profile.total_us, 3)});
  return csv.Write();
}

Status WriteTaskTime(const Profile& profile, const std::string& folder, const std::string& stamp) {
  CsvFile csv(folder, "task_time", stamp,
              {"Device_id", "kernel_name", "kernel_type", "stream_id", "task_id", "task_time(us)",
               "task_start(us)", "task_stop(us)"});
  ForEachTask(profile, [&](const profile::Event& event, const Program&, const Task& task) {
    const profile::TaskPayload& payload = event.record.task;
    csv.Add({StrCat(payload.device), task.name, KernelTypeText(task), StrCat(payload.stream),
             StrCat(payload.task), Us(event.duration_us()), TimeCell(event.begin_ns),
             TimeCell(event.end_ns)});
  });
  return csv.Write();
}

Status WriteStepTrace(const Profile& profile, const std::string& folder, const std::string& stamp) {
  CsvFile csv(folder, "step_trace", stamp,
              {"Device_id", "Iteration ID", "FP Start(us)", "BP End(us)", "Iteration End(us)",
               "Iteration Time(us)", "FP to BP Time(us)", "Iteration Refresh(us)",
               "Data Aug Bound(us)", "Model ID"});
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> iterations;  // Of process and model.
  for (const RunEntry& run : profile.runs) {
    const profile::TaskPayload& payload = run.event->record.task;
    const uint64_t number = ++iterations[{run.event->process, payload.model_id}];
    csv.Add({StrCat(payload.device), StrCat(number), "N/A", "N/A", TimeCell(run.event->end_ns),
             Us(run.us), "N/A", "N/A", "N/A", StrCat(payload.model_id)});
  }
  return csv.Write();
}

}  // namespace cairn::report
