// SPDX-License-Identifier: Apache-2.0
// Log levels from the environment, and the writer of records.
#include "base/log.h"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <cerrno>

namespace cairn {
namespace {

constexpr const char* kModuleNames[] = {"GE", "FE", "RUNTIME", "ASCENDCL", "DRV", "PROFILING"};
constexpr const char* kLevelNames[] = {"DEBUG", "INFO", "WARNING", "ERROR", "NONE"};

int LevelFromEnvironment() {
  const char* text = std::getenv("ASCEND_GLOBAL_LOG_LEVEL");
  if (text == nullptr || text[0] < '0' || text[0] > '4' || text[1] != '\0') {
    return static_cast<int>(LogLevel::kError);
  }
  return text[0] - '0';
}

std::atomic<int>& Level() {
  static std::atomic<int> level{LevelFromEnvironment()};
  return level;
}

}  // namespace

bool LogEnabled(LogModule, LogLevel level) {
  return static_cast<int>(level) >= Level().load(std::memory_order_relaxed);
}

void SetLogLevel(LogLevel level) { Level().store(static_cast<int>(level)); }

void LogWrite(LogModule module, LogLevel level, std::string_view file, int line,
              std::string_view message) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  tm local{};
  localtime_r(&now.tv_sec, &local);
  char stamp[32];
  std::strftime(stamp, sizeof(stamp), "%Y-%m-%d-%H:%M:%S", &local);
  if (auto slash = file.rfind('/'); slash != std::string_view::npos) file.remove_prefix(slash + 1);
  std::fprintf(stdout, "[%s] %s(%d,%s):%s.%03ld.%03ld [%.*s:%d]%.*s\n",
               kLevelNames[static_cast<int>(level)], kModuleNames[static_cast<int>(module)],
               static_cast<int>(getpid()), program_invocation_short_name, stamp,
               now.tv_nsec / 1000000, now.tv_nsec / 1000 % 1000, static_cast<int>(file.size()),
               file.data(), line, static_cast<int>(message.size()), message.data());
}

}  // namespace cairn
