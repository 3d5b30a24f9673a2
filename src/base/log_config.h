// SPDX-License-Identifier: Apache-2.0
// What the environment says about the process log: levels, place, sizes.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "base/log.h"

namespace cairn {

struct LogConfig {
  std::array<LogLevel, static_cast<size_t>(LogModule::kCount)> levels;  ///< Debug log, per module.
  bool events = true;
  bool to_stdout = false;  ///< Records go to stdout instead of files.
  std::string root;        ///< Folder of debug/, run/ and security/; empty: no files.
  int max_files = 10;      ///< Per kind and process.
};

/// Name of a module as records and ASCEND_MODULE_LOG_LEVEL spell it.
const char* LogModuleName(LogModule module);

/// Returns the value of an environment variable, or nullptr.
using EnvironmentLookup = std::function<const char*(const char* name)>;

/// Reads ASCEND_GLOBAL_LOG_LEVEL, ASCEND_MODULE_LOG_LEVEL (voided whole by any syntax error or
/// unknown module), ASCEND_GLOBAL_EVENT_ENABLE, ASCEND_{LOG,SLOG}_PRINT_TO_STDOUT,
/// ASCEND_PROCESS_LOG_PATH, ASCEND_WORK_PATH, HOME and ASCEND_HOST_LOG_FILE_NUM. Values outside
/// their range count as unset.
LogConfig ReadLogConfig(const EnvironmentLookup& lookup);

}  // namespace cairn
