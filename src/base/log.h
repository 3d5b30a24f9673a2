// SPDX-License-Identifier: Apache-2.0
// Process log: level check without formatting cost, records in the plog form, files or stdout.
#pragma once

#include <string>
#include <string_view>

#include "base/strings.h"

namespace cairn {

enum class LogLevel : int { kDebug = 0, kInfo = 1, kWarning = 2, kError = 3, kNone = 4 };

/// Who writes a record; the names appear in the file and in ASCEND_MODULE_LOG_LEVEL.
enum class LogModule : int { kGe, kFe, kRuntime, kAscendcl, kDrv, kProfiling, kCount };

/// True when a record of this module and level goes to the debug log (environment or SetLogLevel).
bool LogEnabled(LogModule module, LogLevel level);

/// Overrides ASCEND_GLOBAL_LOG_LEVEL for all modules (`atc --log`, acl.json).
void SetLogLevel(LogLevel level);

/// Writes one record: `[LEVEL] MODULE(pid,process):time [file:line]message`.
void LogWrite(LogModule module, LogLevel level, std::string_view file, int line,
              std::string_view message);

}  // namespace cairn

/// Usage: CAIRN_LOG(kGe, kInfo, "pass ", name, " changed ", count, " nodes").
#define CAIRN_LOG(module, level, ...)                                                        \
  do {                                                                                       \
    if (::cairn::LogEnabled(::cairn::LogModule::module, ::cairn::LogLevel::level))           \
      ::cairn::LogWrite(::cairn::LogModule::module, ::cairn::LogLevel::level, __FILE__,      \
                        __LINE__, ::cairn::StrCat(__VA_ARGS__));                             \
  } while (false)
