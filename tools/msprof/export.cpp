// SPDX-License-Identifier: Apache-2.0
// Export, query and analysis of one folder.
#include "msprof/export.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <set>

#include "base/atomic_file.h"
#include "base/strings.h"
#include "report/profile.h"
#include "report/tables.h"
#include "report/trace.h"

namespace msprof {
namespace {

using cairn::AtomicFile;
using cairn::Code;
using cairn::OkStatus;
using cairn::Status;
using cairn::StrCat;
using cairn::profile::RawProfile;
using cairn::profile::RecordKind;
using cairn::report::Profile;

constexpr char kReadme[] =
    R"(Files of this folder; <time> is the time of the export.

msprof_<time>.json         timeline: open it in chrome://tracing, ui.perfetto.dev or MindStudio Insight
op_summary_<time>.csv      every executed task: time, shapes, types, formats, roofline
op_statistic_<time>.csv    time by operator type
task_time_<time>.csv       start and end of every task
api_statistic_<time>.csv   calls of the application and of the runtime
step_trace_<time>.csv      runs of models
fusion_op_<time>.csv       tasks that compute several operators of the model
msprof_tx_<time>.csv       ranges marked by the application
memory_record_<time>.csv, npu_mem_<time>.csv, static_op_mem_<time>.csv   device memory

Times are measured on the CPU that ran the model. AI_CORE means vector kernels, AI_CPU the reference
kernel, DDR the main memory. Columns that only an NPU has are N/A. Columns behind cube_utilization(%)
are additions: kernel, arithmetic, bytes, shares of the measured roofs, waiting at barriers, origins.
)";

std::string TimeStamp() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  char text[32];
  std::strftime(text, sizeof(text), "%Y%m%d%H%M%S", &local);
  return text;
}

Status WriteText(const std::string& path, std::string_view text) {
  ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  RETURN_IF_ERROR(file.Write(text));
  return file.Commit();
}

void PrintWarnings(const RawProfile& raw) {
  for (const std::string& warning : raw.warnings)
    std::fprintf(stderr, "[WARNING] %s\n", warning.c_str());
  if (raw.lost_slices > 0)
    std::fprintf(stderr,
                 "[WARNING] %llu parts were dropped to stay within the storage limit; the oldest "
                 "data are missing\n",
                 static_cast<unsigned long long>(raw.lost_slices));
  for (const auto& process : raw.processes)
    if (!process.ended)
      std::fprintf(stderr, "[WARNING] process %u did not end normally; its data end where it did\n",
                   process.pid);
  if (raw.tasks.empty() && raw.events.empty())
    std::fprintf(stderr,
                 "[WARNING] nothing was recorded: the application did not call aclInit, or what it "
                 "did was switched off\n");
}

/// Keeps one run of one model.
void KeepRun(uint32_t model_id, uint64_t iteration, Profile& profile) {
  std::set<uint32_t> kept;
  uint64_t number = 0;
  for (const auto& event : profile.raw.tasks)
    if (event.record.kind == RecordKind::kRun && event.record.task.model_id == model_id &&
        ++number == iteration)
      kept.insert(event.record.task.run);
  std::erase_if(profile.raw.tasks,
                [&](const auto& event) { return kept.count(event.record.task.run) == 0; });
}

}  // namespace

Status Export(const std::string& folder, const CommandLine& command) {
  const std::string name = std::filesystem::path(folder).filename();
  std::printf("[INFO] Start export data in %s.\n", name.c_str());
  ASSIGN_OR_RETURN(Profile profile, cairn::report::LoadProfile(folder));
  PrintWarnings(profile.raw);
  if (!command.Get("model-id").empty())
    KeepRun(static_cast<uint32_t>(std::stoul(command.Get("model-id"))),
            std::stoull(command.Get("iteration-id")), profile);
  const std::string stamp = TimeStamp();
  const std::string output = folder + "/mindstudio_profiler_output";
  RETURN_IF_ERROR(cairn::report::WriteTables(profile, output, stamp));
  RETURN_IF_ERROR(
      WriteText(StrCat(output, "/msprof_", stamp, ".json"), cairn::report::TraceJson(profile)));
  RETURN_IF_ERROR(WriteText(output + "/README.txt", kReadme));
  std::printf("[INFO] Export all data in %s done.\n", name.c_str());
  return OkStatus();
}

Status Query(const std::string& folder) {
  const std::string name = std::filesystem::path(folder).filename();
  std::printf("[INFO] Start query data in %s.\n", name.c_str());
  ASSIGN_OR_RETURN(const RawProfile raw, cairn::profile::ReadProfile(folder));
  struct Row {
    uint64_t runs = 0, top = 0;
    double top_us = 0;
    int64_t begin_ns = 0;
  };
  std::map<std::pair<uint32_t, uint32_t>, Row> models;  // Of device and model.
  for (const auto& event : raw.tasks) {
    if (event.record.kind != RecordKind::kRun) continue;
    Row& row = models[{event.record.task.device, event.record.task.model_id}];
    if (row.runs++ == 0) row.begin_ns = event.begin_ns;
    if (event.duration_us() > row.top_us) {
      row.top_us = event.duration_us();
      row.top = row.runs;
    }
  }
  const auto line = [](const char* device, const char* dir, const std::string& time,
                       const std::string& model, const std::string& count, const std::string& top) {
    std::printf("%-10s%-11s%-10s%-28s%-10s%-18s%-20s%s\n", "NA", device, dir, time.c_str(),
                model.c_str(), count.c_str(), top.c_str(), "-1");
  };
  const auto time_of = [](int64_t ns) {
    const std::time_t seconds = ns / 1'000'000'000;
    std::tm local{};
    ::localtime_r(&seconds, &local);
    char text[48];
    const size_t length = std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &local);
    std::snprintf(text + length, sizeof(text) - length, ".%06d",
                  static_cast<int>(ns % 1'000'000'000 / 1000));
    return std::string(text);
  };
  std::printf("%-10s%-11s%-10s%-28s%-10s%-18s%-20s%s\n", "Job Info", "Device ID", "Dir Name",
              "Collection Time", "Model ID", "Iteration Number", "Top Time Iteration", "Rank ID");
  const int64_t begin = !raw.events.empty()  ? raw.events.front().begin_ns
                        : !raw.tasks.empty() ? raw.tasks.front().begin_ns
                                             : 0;
  line("", "host", time_of(begin), "N/A", "N/A", "N/A");
  for (const auto& [key, row] : models)
    line(StrCat(key.first).c_str(), StrCat("device_", key.first).c_str(), time_of(row.begin_ns),
         StrCat(key.second), StrCat(row.runs), StrCat(row.top));
  std::printf("[INFO] Query all data in %s done.\n", name.c_str());
  return OkStatus();
}

Status Check(const std::string& folder) {
  ASSIGN_OR_RETURN(const RawProfile raw, cairn::profile::ReadProfile(folder));
  PrintWarnings(raw);
  std::printf("[INFO] %s: %zu task records, %zu host records, %zu models.\n", folder.c_str(),
              raw.tasks.size(), raw.events.size(), raw.programs.size());
  return OkStatus();
}

Status Analyze(const std::string& folder, const std::string& rules) {
  ASSIGN_OR_RETURN(const RawProfile raw, cairn::profile::ReadProfile(folder));
  PrintWarnings(raw);
  std::fprintf(stderr, "[WARNING] %s: one device does not communicate, the analysis is empty\n",
               folder.c_str());
  for (const char* rule : {"communication", "communication_matrix"})
    if (("," + rules + ",").find(StrCat(",", rule, ",")) != std::string::npos)
      RETURN_IF_ERROR(WriteText(StrCat(folder, "/analyze/", rule, ".json"), "{}\n"));
  return OkStatus();
}

}  // namespace msprof
