// SPDX-License-Identifier: Apache-2.0
// Header, tables and comparison of the page.
#include "report/report_data.h"

#include <algorithm>
#include <map>
#include <set>

#include "report/advice.h"
#include "report/csv_file.h"
#include "report/tensor_text.h"

namespace cairn::report {
namespace {

std::string Unquoted(const std::string& text) {
  return text.size() >= 2 && text[0] == '"' ? text.substr(1, text.size() - 2) : text;
}

/// What a task weighs: its time, or its arithmetic when there are no times.
double WeightOf(const TaskStats& task, bool timed) {
  return timed ? task.typical_us : task.task->flops / 1e6;
}

Json TaskData(const Profile& profile, const TaskStats& stats, bool timed, double total) {
  const Task& task = *stats.task;
  const OperandText in = DescribeOperands(*stats.program, task.inputs);
  const OperandText out = DescribeOperands(*stats.program, task.outputs);
  const Roofline roof = RooflineOf(stats, profile.machine);
  const double weight = WeightOf(stats, timed);
  Json json;
  json["index"] = stats.index;
  json["name"] = task.name;
  json["type"] = task.op_type;
  json["kernel"] = task.kernel;
  json["us"] = weight;
  json["min"] = stats.min_us;
  json["max"] = stats.max_us;
  json["share"] = total > 0 ? weight / total : 0;
  json["fma"] = roof.compute_percent;
  json["mem"] = roof.bandwidth_percent;
  json["gflops"] = roof.gflops;
  json["gbytes"] = roof.gbytes_per_s;
  json["cores"] = stats.cores;
  json["stream"] = stats.stream;
  json["wait"] = stats.count > 0 ? stats.barrier_wait_us / static_cast<double>(stats.count) : 0;
  json["flop"] = task.flops;
  json["bytes"] = task.traffic_bytes;
  json["in_shapes"] = Unquoted(in.shapes);
  json["in_formats"] = in.formats;
  json["out_shapes"] = Unquoted(out.shapes);
  json["out_formats"] = out.formats;
  json["layout"] = stats.is_layout_work();
  json["edge"] = task.GetString("edge", "");
  json["reason"] = stats.is_layout_work()
                       ? task.GetString("reason", "the model asks for this order of axes")
                       : "";
  json["remedy"] = RemedyOf(task);
  json["origins"] = task.origins;
  return json;
}

Json Facts(const Profile& profile, const Program* program, bool timed) {
  Json facts = Json::array();
  const auto add = [&](const char* name, const std::string& value) {
    facts.push_back({name, value});
  };
  if (program != nullptr) {
    add("Model", program->model_name);
    add("Target", StrCat(program->soc_name, ", planned for ", program->planned_cores, " cores"));
  }
  if (timed) {
    add("Runs",
        StrCat(profile.runs.size(), ", ", Fixed(profile.typical_run_us() / 1e3, 3), " ms each"));
    add("Machine", StrCat(profile.machine.cpu, ", ", profile.machine.cores, " cores"));
    add("Roofs", StrCat(Fixed(profile.machine.core_gflops, 0), " GFLOP/s a core, ",
                        Fixed(profile.machine.gbytes_per_s, 1), " GB/s"));
  }
  add("Tasks", StrCat(profile.tasks.size()));
  if (program != nullptr)
    add("Memory", StrCat("arena ", Fixed(program->arena_bytes / 1048576.0, 1), " MB, weights ",
                         Fixed(program->weights_bytes / 1048576.0, 1), " MB"));
  return facts;
}

Json TypeData(const Profile& profile, bool timed, double total) {
  struct Sums {
    size_t tasks = 0;
    double value = 0;
    bool layout = false;
  };
  std::map<std::string, Sums> types;
  for (const TaskStats& task : profile.tasks) {
    Sums& sums = types[task.task->op_type];
    ++sums.tasks;
    sums.value += WeightOf(task, timed);
    sums.layout = task.is_layout_work();
  }
  std::vector<std::pair<std::string, Sums>> order(types.begin(), types.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second.value > b.second.value; });
  Json json = Json::array();
  for (const auto& [type, sums] : order)
    json.push_back({{"type", type},
                    {"tasks", sums.tasks},
                    {"value", sums.value},
                    {"share", total > 0 ? sums.value / total : 0},
                    {"layout", sums.layout}});
  return json;
}

Json AdviceData(const Profile& profile) {
  Json json = Json::array();
  for (const Advice& advice : FindAdvice(profile))
    json.push_back({{"rule", advice.rule},
                    {"title", advice.title},
                    {"measured", advice.measured},
                    {"change", advice.change},
                    {"gain", advice.gain_percent}});
  return json;
}

std::map<std::string, double> TypeTimes(const Profile& profile) {
  std::map<std::string, double> types;
  for (const TaskStats& task : profile.tasks)
    types[task.task->op_type] +=
        task.cost_us() / static_cast<double>(std::max<size_t>(profile.runs.size(), 1));
  return types;
}

}  // namespace

std::string RemedyOf(const Task& task) {
  if (task.op_type == "Transpose") return "export the model so that this transpose is not needed";
  if (task.op_type != "TransData") return "";
  const std::string reason = task.GetString("reason", "");
  if (reason.find("model's output") != std::string::npos)
    return "none: outputs are row-major; --output_type or fewer outputs make it smaller";
  if (reason.find("a view") != std::string::npos)
    return "move the Reshape, Slice or Concat behind the convolutions";
  return "keep operators that need the other layout out from between convolutions";
}

Json ReportData(const Profile& profile, const std::string& title) {
  const bool timed = !profile.runs.empty();
  double total = 0, most = 0;
  for (const TaskStats& task : profile.tasks) {
    total += WeightOf(task, timed);
    most = std::max(most, WeightOf(task, timed));
  }
  const Program* program = profile.tasks.empty() ? nullptr : profile.tasks[0].program;
  Json json;
  json["title"] = title;
  json["diagnosis"] = timed ? Diagnosis(profile) : "The compiled model; no times were measured.";
  json["timed"] = timed;
  json["run_us"] = profile.typical_run_us();
  json["task_us"] = total;
  json["most_share"] = total > 0 ? most / total : 0;
  json["tiny_us"] = kTinyTaskUs;
  json["facts"] = Facts(profile, program, timed);
  json["advice"] = timed ? AdviceData(profile) : Json::array();
  json["types"] = TypeData(profile, timed, total);
  Json tasks = Json::array();
  for (const TaskStats& task : profile.tasks)
    tasks.push_back(TaskData(profile, task, timed, total));
  json["tasks"] = std::move(tasks);
  json["timeline"] = TimelineData(profile);
  json["arena"] = program != nullptr ? ArenaData(*program) : ArenaData({});
  json["edges"] = program != nullptr ? EdgeData(*program) : Json::array();
  json["unfused"] = program != nullptr ? UnfusedData(*program) : Json::array();
  return json;
}

Json ComparisonData(const Profile& profile, const Profile& before) {
  const auto now = TypeTimes(profile), then = TypeTimes(before);
  std::set<std::string> names;
  for (const auto* types : {&now, &then})
    for (const auto& [type, us] : *types) names.insert(type);
  std::vector<std::pair<double, Json>> rows;
  for (const std::string& name : names) {
    const double a = then.count(name) > 0 ? then.at(name) : 0;
    const double b = now.count(name) > 0 ? now.at(name) : 0;
    rows.push_back({-std::abs(a - b), {{"type", name}, {"before", a}, {"now", b}}});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Json types = Json::array();
  for (auto& row : rows) types.push_back(std::move(row.second));
  return {{"title", before.raw.folder}, {"run_us", before.typical_run_us()}, {"types", types}};
}

}  // namespace cairn::report
