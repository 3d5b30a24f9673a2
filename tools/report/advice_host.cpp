// SPDX-License-Identifier: Apache-2.0
// Rules that look at the application around the runs.
#include <algorithm>
#include <map>

#include "report/advice.h"
#include "report/csv_file.h"

namespace cairn::report {
namespace {

/// From the first run's begin to the last one's end.
double WallUs(const Profile& profile) {
  if (profile.runs.empty()) return 0;
  int64_t begin = INT64_MAX, end = 0;
  for (const RunEntry& run : profile.runs) {
    begin = std::min(begin, run.event->begin_ns);
    end = std::max(end, run.event->end_ns);
  }
  return static_cast<double>(end - begin) / 1e3;
}

/// Time of the calls that `predicate` selects, between first and last run.
template <class Predicate>
double CallsUs(const Profile& profile, Predicate predicate) {
  if (profile.runs.empty()) return 0;
  const int64_t begin = profile.runs.front().event->begin_ns;
  double us = 0;
  for (const profile::Event& event : profile.raw.events)
    if (event.record.kind == profile::RecordKind::kCall && event.begin_ns >= begin &&
        predicate(event))
      us += event.duration_us();
  return us;
}

std::string Percent(double share) { return Fixed(100 * share, 1) + " %"; }

bool IsCopy(const profile::Event& event) { return event.text.rfind("aclrtMemcpy", 0) == 0; }

}  // namespace

void AdviseHostCopies(const Profile& profile, std::vector<Advice>& advice) {
  const double us = CallsUs(profile, IsCopy), wall = WallUs(profile);
  if (profile.runs.size() < 2 || us < 0.05 * wall) return;
  advice.push_back({"host-copies",
                    StrCat("copies around the runs take ", Percent(us / wall), " of the wall time"),
                    StrCat("aclrtMemcpy: ", Fixed(us / 1e3, 2), " ms of ", Fixed(wall / 1e3, 2),
                           " ms between first and last run."),
                    "Device memory is ordinary memory here: fill and read the buffers of the "
                    "dataset in place (aclCreateDataBuffer takes any address), or reuse them.",
                    100 * us / wall});
}

void AdviseHostWork(const Profile& profile, std::vector<Advice>& advice) {
  const double wall = WallUs(profile);
  const double calls = CallsUs(profile, [](const profile::Event& event) {
    return event.record.level == profile::CallLevel::kAcl;
  });
  const double idle = wall - std::max(profile.run_us, calls);
  if (profile.runs.size() < 3 || idle < 0.3 * wall) return;
  advice.push_back(
      {"host-work", StrCat("no model runs during ", Percent(idle / wall), " of the wall time"),
       StrCat(Fixed(idle / 1e3, 2), " ms of ", Fixed(wall / 1e3, 2),
              " ms pass in the application between runs: reading, decoding, "
              "pre- and post-processing."),
       "Let the model convert pixels (atc --insert_op_conf with AIPP), and prepare the "
       "next input in another thread while the model runs (aclmdlExecuteAsync).",
       100 * idle / wall});
}

void AdviseWaits(const Profile& profile, std::vector<Advice>& advice) {
  const double wall = WallUs(profile);
  // What runs of one model wait for one another shows as the call being longer than the run.
  const double executes = CallsUs(profile, [](const profile::Event& event) {
    return event.record.level == profile::CallLevel::kAcl && event.text == "aclmdlExecute";
  });
  const double queued = executes - profile.run_us;
  if (profile.runs.size() >= 3 && queued > 0.2 * std::max(wall, executes))
    advice.push_back(
        {"model-switching",
         StrCat("runs wait for one another during ", Fixed(queued / 1e3, 2), " ms"),
         StrCat("aclmdlExecute took ", Fixed(executes / 1e3, 2), " ms, the runs inside ",
                Fixed(profile.run_us / 1e3, 2), " ms."),
         "Runs of one loaded model follow one another: load the model once for each thread, with "
         "CAIRN_NUM_CORES so that all fit the machine.",
         0});
  const double waits = CallsUs(profile, [](const profile::Event& event) {
    return event.record.level == profile::CallLevel::kRuntime && event.text == "StreamWaitEvent";
  });
  if (waits > 0.1 * wall && wall > 0)
    advice.push_back(
        {"stream-waits",
         StrCat("streams wait for events during ", Percent(waits / wall), " of the wall time"),
         StrCat("aclrtStreamWaitEvent held streams up for ", Fixed(waits / 1e3, 2), " ms."),
         "Record the event right behind the work that is needed, and queue independent "
         "work in front of the wait.",
         0});
}

void AdviseThreads(const Profile& profile, std::vector<Advice>& advice) {
  uint32_t planned = 0;
  for (const RunEntry& run : profile.runs)
    if (run.program != nullptr) planned = std::max(planned, run.program->planned_cores);
  const auto cores = static_cast<uint32_t>(std::max(profile.machine.cores, 1));
  if (planned <= cores) return;
  advice.push_back({"threads-above-quota",
                    StrCat("the model is planned for ", planned, " cores, ", cores, " may be used"),
                    "Work is cut into more parts than cores that can run at once (cpuset or cgroup "
                    "quota of the process).",
                    StrCat("Compile with atc --aicore_num=", cores, "."), 0});
}

void AdviseDebugLog(const Profile& profile, std::vector<Advice>& advice) {
  for (const auto& process : profile.raw.processes) {
    if (process.log_level.empty() || process.log_level > "1") continue;
    advice.push_back({"debug-log", "the debug log was on",
                      StrCat("Process ", process.pid,
                             " ran with ASCEND_GLOBAL_LOG_LEVEL=", process.log_level, "."),
                      "export ASCEND_GLOBAL_LOG_LEVEL=3", 0});
    return;
  }
}

void AdviseTuning(const Profile& profile, std::vector<Advice>& advice) {
  double conv_us = 0, slow_us = 0;
  for (const TaskStats& task : profile.tasks) {
    if (task.task->flops < 1e6) continue;
    conv_us += task.cost_us();
    const Roofline roof = RooflineOf(task, profile.machine);
    if (roof.compute_percent < 25 && roof.bandwidth_percent < 40) slow_us += task.cost_us();
  }
  const double share = profile.share(slow_us);
  if (share < 0.2 || conv_us == 0) return;
  advice.push_back({"tuning", StrCat(Percent(share), " of the time is far below both roofs"),
                    "Convolutions and matrix products reach less than 25 % of the processor's and "
                    "40 % of the memory's speed.",
                    "Compile on this machine with measured kernels: atc --soc_version=native "
                    "--tune=on (and --op_bank_path=FILE to keep the result).",
                    100 * share * 0.3});
}

}  // namespace cairn::report
