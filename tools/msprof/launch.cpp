// SPDX-License-Identifier: Apache-2.0
// Environment, start and end of the application.
#include "msprof/launch.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/strings.h"

namespace msprof {
namespace {

using cairn::Code;
using cairn::Result;
using cairn::Status;
using cairn::StrCat;

volatile sig_atomic_t child_pid = 0;

void Forward(int signal) {
  if (child_pid > 0) ::kill(child_pid, signal);
}

/// The options as the runtime reads them.
std::string RecordingOptions(const CommandLine& command, const std::string& folder) {
  nlohmann::ordered_json json;
  json["cairn_folder"] = folder;
  const std::pair<const char*, const char*> names[] = {
      {"ascendcl", "ascendcl"},      {"runtime-api", "runtime_api"},
      {"task-time", "task_time"},    {"task-memory", "task_memory"},
      {"msproftx", "msproftx"},      {"storage-limit", "storage_limit"},
      {"aic-metrics", "aic_metrics"}};
  for (const auto& [option, key] : names)
    if (!command.Get(option).empty()) json[key] = command.Get(option);
  return json.dump();
}

void SetEnvironment(const CommandLine& command, const std::string& folder) {
  ::setenv("PROFILING_MODE", "true", 1);
  ::setenv("PROFILING_OPTIONS", RecordingOptions(command, folder).c_str(), 1);
  std::istringstream pairs(command.Get("environment"));
  for (std::string pair; std::getline(pairs, pair, ';');) {
    const size_t equals = pair.find('=');
    if (equals != std::string::npos)
      ::setenv(pair.substr(0, equals).c_str(), pair.c_str() + equals + 1, 1);
  }
}

/// Replaces the child; a failure goes through `failure` as errno.
[[noreturn]] void Execute(const CommandLine& command, const std::string& folder, int failure) {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  SetEnvironment(command, folder);
  std::vector<char*> arguments;
  for (const std::string& word : command.application)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  const int error = errno;
  if (::write(failure, &error, sizeof(error)) < 0) ::_exit(126);
  ::_exit(127);
}

}  // namespace

std::string OutputParent(const CommandLine& command) {
  if (!command.Get("output").empty()) return command.Get("output");
  if (const char* path = std::getenv("ASCEND_WORK_PATH"); path != nullptr && *path != '\0')
    return path;
  if (command.options.count("application") == 0) return ".";
  const auto folder = std::filesystem::path(command.application[0]).parent_path();
  return folder.empty() ? "." : folder.string();
}

Result<Outcome> RunApplication(const CommandLine& command, const std::string& folder) {
  int failure[2];
  if (::pipe2(failure, O_CLOEXEC) != 0)
    return Status(Code::kInternal, StrCat("pipe: ", std::strerror(errno)));
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) return Status(Code::kInternal, StrCat("fork: ", std::strerror(errno)));
  if (child == 0) Execute(command, folder, failure[1]);
  child_pid = child;
  std::signal(SIGINT, Forward);
  std::signal(SIGTERM, Forward);
  ::close(failure[1]);
  int error = 0;
  const bool failed = ::read(failure[0], &error, sizeof(error)) == sizeof(error);
  ::close(failure[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  child_pid = 0;
  if (failed)
    return Status(Code::kNotFound, StrCat("application '", command.application[0],
                                          "' cannot be started: ", std::strerror(error)));
  if (WIFSIGNALED(status)) return Outcome{128 + WTERMSIG(status), WTERMSIG(status)};
  return Outcome{WEXITSTATUS(status), 0};
}

}  // namespace msprof
