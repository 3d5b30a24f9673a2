// SPDX-License-Identifier: Apache-2.0
// Tables of the host side: api_statistic, memory events and marks.
#include <algorithm>
#include <map>

#include "base/strings.h"
#include "report/csv_file.h"
#include "report/tables.h"

namespace cairn::report {
namespace {

struct CallSums {
  uint64_t count = 0;
  double total_us = 0, squares = 0, min_us = 0, max_us = 0;
};

const char* LevelText(profile::CallLevel level) {
  switch (level) {
    case profile::CallLevel::kAcl:
      return "acl";
    case profile::CallLevel::kModel:
      return "model";
    case profile::CallLevel::kNode:
      return "node";
    case profile::CallLevel::kRuntime:
      return "runtime";
  }
  return "N/A";
}

std::string Kb(double bytes) { return Fixed(bytes / 1024, 3); }

}  // namespace

Status WriteApiStatistic(const Profile& profile, const std::string& folder,
                         const std::string& stamp) {
  std::map<std::pair<profile::CallLevel, std::string>, CallSums> calls;
  for (const profile::Event& event : profile.raw.events) {
    if (event.record.kind != profile::RecordKind::kCall) continue;
    CallSums& sums = calls[{event.record.level, event.text}];
    const double us = event.duration_us();
    sums.min_us = sums.count == 0 ? us : std::min(sums.min_us, us);
    sums.max_us = std::max(sums.max_us, us);
    sums.total_us += us;
    sums.squares += us * us;
    ++sums.count;
  }
  CsvFile csv(folder, "api_statistic", stamp,
              {"Device_id", "Level", "API Name", "Time(us)", "Count", "Avg(us)", "Min(us)",
               "Max(us)", "Variance"});
  std::vector<std::pair<std::pair<profile::CallLevel, std::string>, CallSums>> order(calls.begin(),
                                                                                     calls.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.first.first != b.first.first ? a.first.first < b.first.first
                                          : a.second.total_us > b.second.total_us;
  });
  for (const auto& [call, sums] : order) {
    const auto count = static_cast<double>(sums.count);
    const double mean = sums.total_us / count;
    csv.Add({"host", LevelText(call.first), call.second, Us(sums.total_us), StrCat(sums.count),
             Us(mean), Us(sums.min_us), Us(sums.max_us),
             Us(std::max(0.0, sums.squares / count - mean * mean))});
  }
  return csv.Write();
}

Status WriteMemory(const Profile& profile, const std::string& folder, const std::string& stamp) {
  CsvFile npu(folder, "npu_mem", stamp,
              {"Device_id", "event", "ddr(KB)", "hbm(KB)", "memory(KB)", "timestamp(us)"});
  CsvFile record(folder, "memory_record", stamp,
                 {"Device_id", "Component", "Timestamp(us)", "Total Allocated(KB)",
                  "Total Reserved(KB)", "Device"});
  for (const profile::Event& event : profile.raw.events) {
    if (event.record.kind != profile::RecordKind::kMemory) continue;
    const profile::MemoryPayload& memory = event.record.memory;
    const std::string total = Kb(static_cast<double>(memory.total_bytes));
    npu.Add({StrCat(memory.device), "app", total, "0.000", total, TimeCell(event.begin_ns)});
    record.Add({StrCat(memory.device), "RUNTIME", TimeCell(event.begin_ns), total, total,
                StrCat("NPU:", memory.device)});
  }
  RETURN_IF_ERROR(npu.Write());
  return record.Write();
}

Status WriteMarks(const Profile& profile, const std::string& folder, const std::string& stamp) {
  CsvFile csv(folder, "msprof_tx", stamp,
              {"pid", "tid", "category", "event_type", "payload_type", "payload_value",
               "Start_time(us)", "End_time(us)", "message_type", "message", "domain",
               "Device Start_time(us)", "Device End_time(us)"});
  for (const profile::Event& event : profile.raw.events) {
    if (event.record.kind != profile::RecordKind::kMark) continue;
    csv.Add({StrCat(event.process), StrCat(event.record.thread), "0",
             event.begin_ns == event.end_ns ? "marker" : "push/pop", "0", "0",
             TimeCell(event.begin_ns), TimeCell(event.end_ns), "0", event.text, "default", "N/A",
             "N/A"});
  }
  return csv.Write();
}

}  // namespace cairn::report
