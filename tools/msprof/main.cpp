// SPDX-License-Identifier: Apache-2.0
// msprof: records an application, and turns recordings into tables, timelines and reports.
#include <cstdio>
#include <filesystem>

#include "msprof/command_line.h"
#include "msprof/export.h"
#include "msprof/launch.h"
#include "profile/reader.h"
#include "profile/session.h"
#include "report/machine_file.h"

namespace {

using cairn::Code;
using cairn::OkStatus;
using cairn::Status;
using msprof::CommandLine;
using msprof::Mode;

int Fail(const Status& status) {
  std::fflush(stdout);
  std::fprintf(stderr, "[ERROR] %s\n", status.message().c_str());
  return 1;
}

Status ReportFolder(const std::string& folder, const CommandLine& command) {
  return msprof::Report(folder, command.Get("report"), command.Get("compare"));
}

/// Records, exports and lists; what was recorded is exported however the application ended.
int Record(const CommandLine& command) {
  auto folder = cairn::profile::CreateProfileFolder(msprof::OutputParent(command));
  if (!folder.ok()) return Fail(folder.status());
  if (const Status written = cairn::report::WriteMachine(*folder, cairn::report::MeasureMachine());
      !written.ok())
    return Fail(written);
  for (const std::string& name : command.ignored)
    std::fprintf(stderr, "[WARNING] --%s has no effect on a CPU\n", name.c_str());
  std::printf("[INFO] Start profiling....\n");
  const auto outcome = msprof::RunApplication(command, *folder);
  if (!outcome.ok()) {
    std::filesystem::remove_all(*folder);
    return Fail(outcome.status());
  }
  if (outcome->signal != 0)
    std::fprintf(stderr, "[WARNING] the application was ended by signal %d\n", outcome->signal);
  else if (outcome->exit_code != 0)
    std::fprintf(stderr, "[WARNING] the application ended with exit code %d\n", outcome->exit_code);
  Status status = msprof::Export(*folder, command);
  if (status.ok()) status = msprof::Query(*folder);
  if (status.ok() && !command.Get("report").empty()) status = ReportFolder(*folder, command);
  if (!status.ok()) return Fail(status);
  std::printf("[INFO] Profiling finished.\n");
  std::printf("[INFO] Process profiling data complete. Data is saved in %s\n", folder->c_str());
  return outcome->exit_code;
}

Status Process(const std::string& folder, const CommandLine& command) {
  switch (command.mode) {
    case Mode::kExport:
      return msprof::Export(folder, command);
    case Mode::kQuery:
      return msprof::Query(folder);
    case Mode::kAnalyze:
      return msprof::Analyze(folder, command.Get("rule", "communication,communication_matrix"));
    case Mode::kReport:
      return ReportFolder(folder, command);
    default:
      return msprof::Check(folder);
  }
}

int ProcessAll(const CommandLine& command) {
  const std::string path = command.Get("output");
  const auto folders = cairn::profile::FindProfileFolders(path);
  if (folders.empty())
    return Fail(Status(Code::kNotFound,
                       cairn::StrCat(path, ": neither a folder PROF_... nor one that holds some")));
  int exit_code = 0;
  for (const std::string& folder : folders)
    if (const Status status = Process(folder, command); !status.ok()) exit_code = Fail(status);
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  const auto command = msprof::ParseCommandLine({argv + 1, argv + argc});
  if (!command.ok()) {
    Fail(command.status());
    std::fprintf(stderr, "msprof --help lists the options.\n");
    return 1;
  }
  if (command->mode == Mode::kHelp) {
    std::printf("%s", msprof::HelpText().c_str());
    return 0;
  }
  return command->mode == Mode::kRun ? Record(*command) : ProcessAll(*command);
}
