// SPDX-License-Identifier: Apache-2.0
// Keys, values and defaults of the profiler options.
#include "profile/options.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/strings.h"

namespace cairn::profile {
namespace {

Status Invalid(const std::string& key, const std::string& value, std::string_view valid) {
  return Status(Code::kInvalidArgument, StrCat("profiler option '", key, "' is '", value,
                                               "', expected ", valid));
}

void Switch(Settings& settings, uint32_t categories, bool on) {
  settings.categories = on ? settings.categories | categories : settings.categories & ~categories;
}

/// Options that are on or off and what they switch; kNone for hardware that a CPU does not have.
struct OnOff {
  std::string_view key;
  uint32_t categories;
};
constexpr std::array kOnOff{
    OnOff{"ascendcl", kAclCalls}, OnOff{"runtime_api", kRuntimeCalls},
    OnOff{"task_memory", kMemory}, OnOff{"msproftx", kMarks},
    OnOff{"aicpu", 0},            OnOff{"l2", 0},
    OnOff{"hccl", 0},             OnOff{"model_execution", 0}};

constexpr std::array<std::string_view, 11> kMetrics{
    "PipeUtilization", "ArithmeticUtilization", "Memory",  "MemoryL0",
    "MemoryUB",        "ResourceConflictRatio", "L2Cache", "PipelineExecuteUtilization",
    "MemoryAccess",    "None",                  ""};

Status SetTaskTime(const std::string& value, Settings& settings) {
  if (value == "off") {
    Switch(settings, kTasks | kAttributes, false);
  } else if (value == "l0") {
    Switch(settings, kTasks, true);
    Switch(settings, kAttributes, false);
  } else if (value == "on" || value == "l1" || value == "l2" || value == "l3") {
    Switch(settings, kTasks | kAttributes, true);
  } else {
    return Invalid("task_time", value, "on, off, l0, l1, l2 or l3");
  }
  return OkStatus();
}

}  // namespace

Result<uint64_t> ParseStorageLimit(const std::string& text) {
  char* end = nullptr;
  const unsigned long long megabytes = std::strtoull(text.c_str(), &end, 10);
  const bool is_number = !text.empty() && text[0] >= '0' && text[0] <= '9';
  if (!is_number || std::string_view(end) != "MB" || megabytes < 200 || megabytes > UINT32_MAX)
    return Invalid("storage_limit", text, "200MB to 4294967295MB");
  return uint64_t{megabytes} << 20;
}

Status SetOption(const std::string& key, const std::string& value, Options& options) {
  Settings& settings = options.settings;
  const bool on = value == "on";
  const auto on_off = std::find_if(kOnOff.begin(), kOnOff.end(),
                                   [&](const OnOff& entry) { return entry.key == key; });
  if (on_off != kOnOff.end() || key == "switch") {
    if (!on && value != "off") return Invalid(key, value, "on or off");
    if (key == "switch") options.enabled = on;
    else Switch(settings, on_off->categories, on);
  } else if (key == "task_time" || key == "task_trace") {
    return SetTaskTime(value, settings);
  } else if (key == "storage_limit") {
    if (value.empty()) return OkStatus();
    ASSIGN_OR_RETURN(settings.storage_limit_bytes, ParseStorageLimit(value));
  } else if (key == "aic_metrics") {
    const bool known = std::find(kMetrics.begin(), kMetrics.end(), value) != kMetrics.end() ||
                       value.rfind("Custom:", 0) == 0;
    if (!known)
      return Invalid(key, value, "one of " + StrJoin(std::span(kMetrics).first(9), ", "));
  } else if (key == "output") {
    options.output = value;
  } else if (key == "cairn_folder") {
    options.folder = value;
  }
  return OkStatus();
}

Result<Options> ParseOptions(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object())
    return Status(Code::kInvalidArgument, "the profiler options are not a JSON object");
  Options options;
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string()) return Invalid(key, value.dump(), "a text");
    RETURN_IF_ERROR(SetOption(key, value.get<std::string>(), options));
  }
  return options;
}

Status StartRecording(const Options& options) {
  std::string folder = options.folder;
  if (folder.empty()) {
    const char* work_path = std::getenv("ASCEND_WORK_PATH");
    const std::string fallback = work_path != nullptr ? work_path : ".";
    ASSIGN_OR_RETURN(folder,
                     CreateProfileFolder(options.output.empty() ? fallback : options.output));
  }
  return Session::Get().Start(folder, options.settings);
}

}  // namespace cairn::profile
