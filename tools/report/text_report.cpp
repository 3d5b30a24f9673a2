// SPDX-License-Identifier: Apache-2.0
// Sections of the text report.
#include "report/text_report.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <map>
#include <set>

#include "report/advice.h"
#include "report/csv_file.h"
#include "report/report_data.h"

namespace cairn::report {
namespace {

constexpr size_t kColumns = 80;
constexpr size_t kTopTasks = 20;

std::string Line(const char* format, ...) __attribute__((format(printf, 1, 2)));
std::string Line(const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  std::string line = text;
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

/// `text` cut to `width`, the middle replaced by "..": names differ at both ends.
std::string Cut(const std::string& text, size_t width) {
  if (text.size() <= width) return text;
  const size_t head = (width - 2) / 2;
  return text.substr(0, head) + ".." + text.substr(text.size() - (width - 2 - head));
}

/// Breaks `text` at spaces; every line begins with `indent`.
std::string Wrap(const std::string& text, const std::string& first, const std::string& indent) {
  std::string result, line = first;
  std::istringstream words(text);
  bool has_word = false;
  for (std::string word; words >> word;) {
    if (has_word && line.size() + 1 + word.size() > kColumns) {
      result += line + "\n";
      line = indent;
      has_word = false;
    }
    while (line.size() + word.size() > kColumns) {
      result += line + word.substr(0, kColumns - line.size()) + "\n";
      word.erase(0, kColumns - line.size());
      line = indent;
    }
    line += (has_word ? " " : "") + word;
    has_word = true;
  }
  return result + line + "\n";
}

std::string Header(const Profile& profile) {
  std::set<std::string> models;
  std::string soc;
  for (const RunEntry& run : profile.runs) {
    if (run.program == nullptr) continue;
    models.insert(run.program->model_name);
    soc = run.program->soc_name;
  }
  const double mean_ms =
      profile.runs.empty() ? 0 : profile.run_us / static_cast<double>(profile.runs.size()) / 1e3;
  std::string text = Wrap(StrJoin(models, ", "), "Model    ", "         ");
  text += Wrap(StrCat(profile.machine.cpu, ", ", profile.machine.cores, " cores, ",
                      Fixed(profile.machine.core_gflops, 0), " GFLOP/s a core, ",
                      Fixed(profile.machine.gbytes_per_s, 1), " GB/s"),
               "Machine  ", "         ");
  text += Line("Target   %s", soc.c_str());
  text += Line("Runs     %zu, %.3f ms each (mean %.3f ms)", profile.runs.size(),
               profile.typical_run_us() / 1e3, mean_ms);
  return text + "\n" + Wrap(Diagnosis(profile), "", "") + "\n";
}

std::string ByType(const Profile& profile) {
  struct Sums {
    size_t tasks = 0;
    double us = 0;
  };
  std::map<std::string, Sums> types;
  for (const TaskStats& task : profile.tasks) {
    Sums& sums = types[task.task->op_type];
    ++sums.tasks;
    sums.us += task.cost_us();
  }
  std::vector<std::pair<std::string, Sums>> order(types.begin(), types.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second.us > b.second.us; });
  const double runs = static_cast<double>(std::max<size_t>(profile.runs.size(), 1));
  std::string text = Line("%-26s %6s %12s %7s", "Operator type", "Tasks", "us a run", "Share");
  for (const auto& [type, sums] : order) {
    const double share = profile.share(sums.us);
    text += Line("%-26s %6zu %12.1f %6.1f%%  %s", Cut(type, 26).c_str(), sums.tasks, sums.us / runs,
                 100 * share, std::string(static_cast<size_t>(share * 22 + 0.5), '#').c_str());
  }
  return text + "\n";
}

std::string TopTasks(const Profile& profile) {
  std::string text = Line("%-32s %-12s %8s %6s %5s %5s %5s", "Most expensive tasks", "Type", "us",
                          "Share", "FMA%", "Mem%", "Cores");
  for (size_t i = 0; i < std::min(profile.tasks.size(), kTopTasks); ++i) {
    const TaskStats& task = profile.tasks[i];
    const Roofline roof = RooflineOf(task, profile.machine);
    text += Line("%-32s %-12s %8.1f %5.1f%% %5.0f %5.0f %5u", Cut(task.task->name, 32).c_str(),
                 Cut(task.task->op_type, 12).c_str(), task.typical_us,
                 100 * profile.share(task.cost_us()), roof.compute_percent, roof.bandwidth_percent,
                 task.cores);
  }
  if (profile.tasks.size() > kTopTasks)
    text += Line("and %zu more", profile.tasks.size() - kTopTasks);
  return text + "\n";
}

std::string AdviceSection(const Profile& profile) {
  const std::vector<Advice> advice = FindAdvice(profile);
  if (advice.empty()) return "No advice: no rule applies.\n";
  std::string text = "Advice\n";
  for (size_t i = 0; i < advice.size(); ++i) {
    const std::string number = StrCat(i + 1, ". ");
    text += Wrap(advice[i].title, number, "   ");
    text += Wrap(advice[i].measured, "   Measured: ", "             ");
    text += Wrap(advice[i].change, "   Change:   ", "             ");
    if (advice[i].gain_percent > 0)
      text += Line("   Gain:     up to %.0f %% of the time", advice[i].gain_percent);
  }
  return text;
}

}  // namespace

std::string TextReport(const Profile& profile) {
  return Header(profile) + ByType(profile) + TopTasks(profile) + AdviceSection(profile);
}

std::string TextComparison(const Profile& profile, const Profile& before) {
  const Json data = ComparisonData(profile, before);
  std::string text = Wrap(before.raw.folder, "Compared with ", "  ");
  text += Line("%-32s %14s %14s %14s", "Operator type", "before, us", "now, us", "difference");
  for (const auto& type : data["types"]) {
    const double then = type["before"], now = type["now"];
    text += Line("%-32s %14.1f %14.1f %+14.1f", Cut(type["type"].get<std::string>(), 32).c_str(),
                 then, now, now - then);
  }
  return text + Line("%-32s %14.1f %14.1f   %.2f times as fast", "Run", before.typical_run_us(),
                     profile.typical_run_us(),
                     before.typical_run_us() / std::max(profile.typical_run_us(), 1e-9));
}

std::string TextReportOfProgram(const Profile& profile, const Program& program) {
  double flops = 0;
  std::map<std::string, size_t> types;
  for (const Task& task : program.tasks) {
    flops += task.flops;
    ++types[task.op_type];
  }
  std::string text = Wrap(program.model_name, "Model    ", "         ");
  text +=
      Line("Target   %s, planned for %u cores", program.soc_name.c_str(), program.planned_cores);
  text += Line("Work     %zu tasks, %.2f GFLOP", program.tasks.size(), flops / 1e9);
  text += Line("Memory   arena %.1f MB, weights %.1f MB", program.arena_bytes / 1048576.0,
               program.weights_bytes / 1048576.0);
  text += "\n" + Line("%-40s %-14s %10s %10s", "Largest tasks", "Type", "MFLOP", "KB");
  for (size_t i = 0; i < std::min(profile.tasks.size(), kTopTasks); ++i) {
    const Task& task = *profile.tasks[i].task;
    text += Line("%-40s %-14s %10.1f %10.0f", Cut(task.name, 40).c_str(),
                 Cut(task.op_type, 14).c_str(), task.flops / 1e6, task.traffic_bytes / 1024);
  }
  text += "\n" + Line("Tasks by type");
  std::vector<std::string> counts;
  for (const auto& [type, count] : types) counts.push_back(StrCat(count, " ", type));
  text += Wrap(StrJoin(counts, ", "), "  ", "  ");
  text += "\n" + Line("Layout conversions");
  size_t conversions = 0;
  for (const Task& task : program.tasks) {
    if (task.op_type != "TransData" && task.op_type != "Transpose") continue;
    ++conversions;
    text += Wrap(StrCat(task.GetString("edge", task.name), ": ",
                        task.GetString("reason", "a transpose of the model")),
                 "  ", "    ");
  }
  if (conversions == 0) text += "  none\n";
  return text;
}

}  // namespace cairn::report
