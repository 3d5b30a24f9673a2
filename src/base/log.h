// SPDX-License-Identifier: Apache-2.0
// Process log: level check without formatting cost, records in the plog form, files or stdout.
#pragma once

#include <string>
#include <string_view>

#include "base/strings.h"

namespace cairn {

/// kEvent records ignore the level; ASCEND_GLOBAL_EVENT_ENABLE=0 silences them.
enum class LogLevel : int {
  kDebug = 0,
  kInfo = 1,
  kWarning = 2,
  kError = 3,
  kNone = 4,
  kEvent = 16
};

/// Who writes a record; the names appear in the file and in ASCEND_MODULE_LOG_LEVEL.
enum class LogModule : int { kGe, kFe, kRuntime, kAscendcl, kDrv, kProfiling, kCount };

/// Which file takes a record: `debug` has the adjustable level (default ERROR), `run` takes INFO
/// and up, `security` everything.
enum class LogKind : int { kDebug, kRun, kSecurity };

/// True when a record of this module and level goes to the file of this kind.
bool LogEnabled(LogModule module, LogLevel level, LogKind kind = LogKind::kDebug);

/// Overrides the levels of the environment for all modules of the debug log (`atc --log`).
void SetLogLevel(LogLevel level);

/// The local time as records and error reports show it: "2021-12-09-16:10:22.539.201".
std::string LogTimeStamp();

/// Writes one record: `[LEVEL] MODULE(pid,process):time [file:line]thread function: message`.
/// Line breaks inside `message` become spaces. A log that cannot be written is dropped silently.
void LogWrite(LogKind kind, LogModule module, LogLevel level, std::string_view file, int line,
              std::string_view function, std::string_view message);

}  // namespace cairn

/// Usage: CAIRN_LOG_TO(kRun, kGe, kEvent, "model ", name, " loaded").
#define CAIRN_LOG_TO(kind, module, level, ...)                                    \
  do {                                                                            \
    if (::cairn::LogEnabled(::cairn::LogModule::module, ::cairn::LogLevel::level, \
                            ::cairn::LogKind::kind))                              \
      ::cairn::LogWrite(::cairn::LogKind::kind, ::cairn::LogModule::module,       \
                        ::cairn::LogLevel::level, __FILE__, __LINE__, __func__,   \
                        ::cairn::StrCat(__VA_ARGS__));                            \
  } while (false)

/// Usage: CAIRN_LOG(kGe, kInfo, "pass ", name, " changed ", count, " nodes").
#define CAIRN_LOG(module, level, ...) CAIRN_LOG_TO(kDebug, module, level, __VA_ARGS__)
