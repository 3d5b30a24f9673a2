// SPDX-License-Identifier: Apache-2.0
// The process log: level decisions, record form, choice of file or stdout.
#include "base/log.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>

#include "base/log_config.h"
#include "base/log_file.h"

namespace cairn {
namespace {

constexpr uint64_t kMaxFileBytes = 20u << 20;

struct ProcessLog {
  explicit ProcessLog(const LogConfig& settings)
      : config(settings),
        files{{{settings.root + "/debug/plog", kMaxFileBytes, settings.max_files},
               {settings.root + "/run/plog", kMaxFileBytes, settings.max_files},
               {settings.root + "/security/plog", kMaxFileBytes, settings.max_files}}} {
    for (size_t i = 0; i < levels.size(); ++i) levels[i] = static_cast<int>(config.levels[i]);
  }

  const LogConfig config;
  std::array<std::atomic<int>, static_cast<size_t>(LogModule::kCount)> levels;
  std::mutex mutex;
  std::array<RotatingLogFile, 3> files;
};

// Never destroyed: destructors of other static objects may still write records.
ProcessLog& Log() {
  static ProcessLog& log = *new ProcessLog(ReadLogConfig(std::getenv));
  return log;
}

const char* LevelName(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "DEBUG";
    case LogLevel::kInfo:
      return "INFO";
    case LogLevel::kWarning:
      return "WARNING";
    case LogLevel::kError:
      return "ERROR";
    case LogLevel::kEvent:
      return "EVENT";
    case LogLevel::kNone:
      break;
  }
  return "NONE";
}

std::string RecordPrefix(LogModule module, LogLevel level, std::string_view file, int line) {
  if (auto slash = file.rfind('/'); slash != std::string_view::npos) file.remove_prefix(slash + 1);
  return StrCat("[", LevelName(level), "] ", LogModuleName(module), "(", getpid(), ",",
                program_invocation_short_name, "):", LogTimeStamp(), " [", file, ":", line, "]",
                syscall(SYS_gettid), " ");
}

}  // namespace

bool LogEnabled(LogModule module, LogLevel level, LogKind kind) {
  ProcessLog& log = Log();
  if (level == LogLevel::kEvent) return log.config.events;
  switch (kind) {
    case LogKind::kRun:
      return level >= LogLevel::kInfo;
    case LogKind::kSecurity:
      return true;
    case LogKind::kDebug:
      break;
  }
  const int threshold = log.levels[static_cast<size_t>(module)].load(std::memory_order_relaxed);
  return static_cast<int>(level) >= threshold;
}

std::string LogTimeStamp() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  tm local{};
  localtime_r(&now.tv_sec, &local);
  char seconds[32];
  std::strftime(seconds, sizeof(seconds), "%Y-%m-%d-%H:%M:%S", &local);
  char fraction[48];
  std::snprintf(fraction, sizeof(fraction), ".%03ld.%03ld", now.tv_nsec / 1000000,
                now.tv_nsec / 1000 % 1000);
  return StrCat(seconds, fraction);
}

void SetLogLevel(LogLevel level) {
  for (auto& threshold : Log().levels) threshold.store(static_cast<int>(level));
}

void LogWrite(LogKind kind, LogModule module, LogLevel level, std::string_view file, int line,
              std::string_view function, std::string_view message) {
  std::string record = RecordPrefix(module, level, file, line);
  record.append(function).append(": ");
  for (char c : message) record.push_back(c == '\n' || c == '\r' ? ' ' : c);
  record.push_back('\n');
  ProcessLog& log = Log();
  const std::lock_guard<std::mutex> lock(log.mutex);
  if (log.config.to_stdout) {
    std::fwrite(record.data(), 1, record.size(), stdout);
  } else if (!log.config.root.empty()) {
    log.files[static_cast<size_t>(kind)].Append(record);
  }
}

}  // namespace cairn
