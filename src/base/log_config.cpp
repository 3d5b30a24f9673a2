// SPDX-License-Identifier: Apache-2.0
// Reads the log settings from the environment.
#include "base/log_config.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace cairn {
namespace {

constexpr size_t kNumModules = static_cast<size_t>(LogModule::kCount);
constexpr std::array<const char*, kNumModules> kModuleNames = {"GE",       "FE",  "RUNTIME",
                                                               "ASCENDCL", "DRV", "PROFILING"};

// Modules of the full stack that write nothing here; naming them is not an error.
constexpr std::string_view kForeignModules[] = {
    "SLOG",     "IDEDD", "HCCL",     "FMK",    "DVPP",          "CCE",    "HDC",    "DEVMM",
    "TEFUSION", "AICPU", "TDT",      "MD",     "TBE",           "FV",     "TUNE",   "HSS",
    "FFTS",     "OP",    "UDF",      "HCCP",   "ROCE",          "DP",     "APP",    "TS",
    "LP",       "NET",   "KERNEL",   "CCECPU", "HICAID",        "ATRACE", "TSDUMP", "ISP",
    "PROCMGR",  "BBOX",  "AIVECTOR", "TSYNC",  "ASCENDCKERNEL", "ASYS",   "TPRT"};

std::optional<int> ParseInt(std::string_view text, int low, int high) {
  int value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value < low || value > high) return std::nullopt;
  return value;
}

std::optional<int> LookupInt(const EnvironmentLookup& lookup, const char* name, int low, int high) {
  const char* text = lookup(name);
  if (text == nullptr) return std::nullopt;
  return ParseInt(text, low, high);
}

std::string LookupText(const EnvironmentLookup& lookup, const char* name) {
  const char* text = lookup(name);
  return text == nullptr ? std::string() : std::string(text);
}

// Applies `GE=0:RUNTIME=1`; false on any error.
bool ApplyModuleLevels(std::string_view text, LogConfig& config) {
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(':'));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const size_t equals = item.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view name = item.substr(0, equals);
    const auto level = ParseInt(item.substr(equals + 1), 0, 4);
    if (!level) return false;
    const auto module = std::find(kModuleNames.begin(), kModuleNames.end(), name);
    if (module != kModuleNames.end()) {
      config.levels[module - kModuleNames.begin()] = static_cast<LogLevel>(*level);
    } else if (std::ranges::find(kForeignModules, name) == std::end(kForeignModules)) {
      return false;
    }
  }
  return true;
}

std::string RootFolder(const EnvironmentLookup& lookup) {
  if (auto path = LookupText(lookup, "ASCEND_PROCESS_LOG_PATH"); !path.empty()) return path;
  if (auto path = LookupText(lookup, "ASCEND_WORK_PATH"); !path.empty()) return path + "/log";
  if (auto path = LookupText(lookup, "HOME"); !path.empty()) return path + "/ascend/log";
  return "";
}

}  // namespace

const char* LogModuleName(LogModule module) { return kModuleNames[static_cast<size_t>(module)]; }

LogConfig ReadLogConfig(const EnvironmentLookup& lookup) {
  LogConfig config;
  const int level = LookupInt(lookup, "ASCEND_GLOBAL_LOG_LEVEL", 0, 4).value_or(3);
  config.levels.fill(static_cast<LogLevel>(level));
  LogConfig with_modules = config;
  if (ApplyModuleLevels(LookupText(lookup, "ASCEND_MODULE_LOG_LEVEL"), with_modules)) {
    config.levels = with_modules.levels;
  }
  config.events = LookupInt(lookup, "ASCEND_GLOBAL_EVENT_ENABLE", 0, 1).value_or(1) == 1;
  auto to_stdout = LookupInt(lookup, "ASCEND_LOG_PRINT_TO_STDOUT", 0, 1);
  if (!to_stdout) to_stdout = LookupInt(lookup, "ASCEND_SLOG_PRINT_TO_STDOUT", 0, 1);
  config.to_stdout = to_stdout.value_or(0) == 1;
  config.root = RootFolder(lookup);
  config.max_files = LookupInt(lookup, "ASCEND_HOST_LOG_FILE_NUM", 1, 1000).value_or(10);
  return config;
}

}  // namespace cairn
