// SPDX-License-Identifier: Apache-2.0
// Runs folders of backend cases; one line per case and mode: case, mode, outcome, path, reason,
// separated by tabs. Usage: conformance-runner <folder> [<part of a case's name>]
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "conformance/case_runner.h"

namespace {

namespace fs = std::filesystem;

constexpr unsigned kSeconds = 60;  ///< For one case in both modes.
constexpr const char* kModes[] = {"passes-on", "passes-off"};

std::string OneLine(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
  return text;
}

void Print(const std::string& name, const char* mode, const cairn::testing::Verdict& verdict) {
  std::printf("%s\t%s\t%s\t%s\t%s\n", name.c_str(), mode, verdict.outcome.c_str(),
              verdict.path.c_str(), OneLine(verdict.reason).c_str());
  std::fflush(stdout);
}

/// In a child process: a crash or an endless loop costs one case only.
void RunInChild(const fs::path& folder, size_t first_mode) {
  alarm(kSeconds);
  const fs::path scratch =
      fs::temp_directory_path() / ("conformance-" + std::to_string(getpid()));
  fs::create_directories(scratch);
  aclInit(nullptr);
  aclrtSetDevice(0);
  for (size_t mode = first_mode; mode < std::size(kModes); ++mode) {
    Print(folder.filename().string(), kModes[mode],
          cairn::testing::RunCase(folder, mode == 0, scratch));
  }
  fs::remove_all(scratch);
  _exit(0);
}

void RunAlone(const fs::path& folder) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) RunInChild(folder, 0);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  const bool timeout = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
  for (const char* mode : kModes) {
    Print(folder.filename().string(), mode,
          {timeout ? "timeout" : "crashed", "",
           WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status)) : "exit"});
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s <folder> [<part of a case's name>]\n", argv[0]);
    return 2;
  }
  const std::string part = argc > 2 ? argv[2] : "";
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(argv[1])) {
    const bool wanted = entry.path().filename().string().find(part) != std::string::npos;
    if (wanted && fs::exists(entry.path() / "model.onnx")) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  for (const fs::path& folder : folders) RunAlone(folder);
  return 0;
}
