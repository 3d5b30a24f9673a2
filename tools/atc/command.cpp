// SPDX-License-Identifier: Apache-2.0
// Console protocol of atc.
#include "command.h"

#include <cstdio>
#include <filesystem>

#include "arguments.h"
#include "base/log.h"
#include "base/strings.h"
#include "build.h"
#include "conduct.h"
#include "inspect.h"
#include "pre_check.h"
#include "raw_options.h"

namespace cairn::atc {
namespace {

constexpr int kSuccess = 0;
constexpr int kFailure = 255;

LogLevel LevelOf(const std::string& name) {
  if (name == "debug") return LogLevel::kDebug;
  if (name == "info") return LogLevel::kInfo;
  if (name == "warning") return LogLevel::kWarning;
  return name == "error" ? LogLevel::kError : LogLevel::kNone;
}

bool RunMode(const Arguments& arguments, const std::string& command_line, ErrorReport& report) {
  switch (arguments.GetInt("mode")) {
    case 0:
      return RunBuild(arguments, command_line, report);
    case 1:
      return RunToJson(arguments, report);
    case 3:
      return RunPreCheck(arguments, report);
    case 5:
      return RunTextToJson(arguments, report);
    case 6:
      return RunDisplay(arguments, report);
    default:
      CheckSupported(arguments, report);
      return false;
  }
}

/// Reads the command line again with the options of --raw_ge_options in front, which it overrides.
bool AddRawOptions(std::span<const std::string> words, Arguments& arguments, std::string& complaint,
                   ErrorReport& report) {
  std::vector<std::string> all;
  if (!ReadRawOptions(arguments, all, report)) return false;
  if (all.empty()) return true;
  all.insert(all.end(), words.begin(), words.end());
  arguments = Arguments();
  return ParseArguments(all, arguments, complaint, report);
}

void PrintFailure(const std::string& program, const ErrorReport& report) {
  std::printf("ATC run failed, Please check the detail log, Try '%s --help' for more information\n",
              std::filesystem::path(program).filename().c_str());
  std::printf("%s\n", report.Text().c_str());
}

void PrintSuccess(const ErrorReport& report) {
  std::printf("ATC run success, welcome to the next use.\n%s\n",
              StrJoin(report.warnings(), "\n").c_str());
}

}  // namespace

int RunCommand(std::span<const std::string> words) {
  std::printf("ATC start working now, please wait for a moment.\n");
  std::fflush(stdout);
  const std::string program = words.empty() ? "atc" : words[0];
  Arguments arguments;
  ErrorReport report;
  std::string complaint;
  if (!words.empty()) words = words.subspan(1);
  if (!ParseArguments(words, arguments, complaint, report)) {
    if (!complaint.empty()) std::fprintf(stderr, "ERROR: %s\n", complaint.c_str());
    PrintFailure(program, report);
    return kFailure;
  }
  if (arguments.GetBool("help")) {
    std::fputs(HelpText().c_str(), stdout);
    return kSuccess;
  }
  if (!AddRawOptions(words, arguments, complaint, report)) {
    if (!complaint.empty()) std::fprintf(stderr, "ERROR: %s\n", complaint.c_str());
    PrintFailure(program, report);
    return kFailure;
  }
  SetLogLevel(LevelOf(arguments.Get("log")));
  std::string command_line = program;
  for (const std::string& word : words) command_line += " " + word;
  CAIRN_LOG_TO(kRun, kGe, kEvent, "started: ", command_line);
  const bool done = RunMode(arguments, command_line, report);
  std::printf("...\n");
  if (done) {
    PrintSuccess(report);
  } else {
    CAIRN_LOG(kGe, kError, report.Text());
    PrintFailure(program, report);
  }
  CAIRN_LOG_TO(kRun, kGe, kEvent, "ended: ", done ? "success" : report.code());
  return done ? kSuccess : kFailure;
}

}  // namespace cairn::atc
