// SPDX-License-Identifier: Apache-2.0
// Log settings from the environment, rotation, and the form of a record.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "base/log.h"
#include "base/log_config.h"
#include "base/log_file.h"

namespace cairn {
namespace {

namespace fs = std::filesystem;

LogConfig Read(const std::map<std::string, std::string>& environment) {
  return ReadLogConfig([&](const char* name) -> const char* {
    auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

LogLevel LevelOf(const LogConfig& config, LogModule module) {
  return config.levels[static_cast<size_t>(module)];
}

fs::path FreshFolder(const std::string& name) {
  const fs::path folder = fs::path(testing::TempDir()) / (name + std::to_string(getpid()));
  fs::remove_all(folder);
  return folder;
}

std::vector<fs::path> FilesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  return files;
}

std::string ReadAll(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(LogConfig, DefaultsToErrorsInHome) {
  const LogConfig config = Read({{"HOME", "/home/u"}});
  EXPECT_EQ(LevelOf(config, LogModule::kGe), LogLevel::kError);
  EXPECT_TRUE(config.events);
  EXPECT_FALSE(config.to_stdout);
  EXPECT_EQ(config.root, "/home/u/ascend/log");
  EXPECT_EQ(config.max_files, 10);
}

TEST(LogConfig, ModuleLevelBeatsGlobalLevel) {
  const LogConfig config = Read(
      {{"ASCEND_GLOBAL_LOG_LEVEL", "2"}, {"ASCEND_MODULE_LOG_LEVEL", "GE=0:HCCL=1:RUNTIME=1"}});
  EXPECT_EQ(LevelOf(config, LogModule::kGe), LogLevel::kDebug);
  EXPECT_EQ(LevelOf(config, LogModule::kRuntime), LogLevel::kInfo);
  EXPECT_EQ(LevelOf(config, LogModule::kAscendcl), LogLevel::kWarning);
}

TEST(LogConfig, AnErrorVoidsTheModuleVariable) {
  for (const char* text : {"GE=0:WHAT=1", "GE=0:RUNTIME", "GE=0:RUNTIME=7", "GE=0 :RUNTIME=1"}) {
    const LogConfig config = Read({{"ASCEND_MODULE_LOG_LEVEL", text}});
    EXPECT_EQ(LevelOf(config, LogModule::kGe), LogLevel::kError) << text;
  }
}

TEST(LogConfig, ValuesOutOfRangeCountAsUnset) {
  const LogConfig config = Read({{"ASCEND_GLOBAL_LOG_LEVEL", "9"},
                                 {"ASCEND_HOST_LOG_FILE_NUM", "0"},
                                 {"ASCEND_GLOBAL_EVENT_ENABLE", "yes"}});
  EXPECT_EQ(LevelOf(config, LogModule::kGe), LogLevel::kError);
  EXPECT_EQ(config.max_files, 10);
  EXPECT_TRUE(config.events);
}

TEST(LogConfig, NewStdoutSwitchBeatsTheOldOne) {
  EXPECT_TRUE(Read({{"ASCEND_SLOG_PRINT_TO_STDOUT", "1"}}).to_stdout);
  EXPECT_FALSE(
      Read({{"ASCEND_SLOG_PRINT_TO_STDOUT", "1"}, {"ASCEND_LOG_PRINT_TO_STDOUT", "0"}}).to_stdout);
}

TEST(LogConfig, PathPriority) {
  EXPECT_EQ(Read({{"ASCEND_PROCESS_LOG_PATH", "/p"}, {"ASCEND_WORK_PATH", "/w"}}).root, "/p");
  EXPECT_EQ(Read({{"ASCEND_WORK_PATH", "/w"}, {"HOME", "/h"}}).root, "/w/log");
}

TEST(RotatingLogFile, StartsAnewWhenFullAndRemovesTheOldest) {
  const fs::path folder = FreshFolder("rotate");
  RotatingLogFile file(folder.string(), 10, 2);
  for (const char* record : {"one one\n", "two two\n", "three t\n"}) file.Append(record);
  std::string all;
  const auto files = FilesIn(folder);
  for (const auto& path : files) all += ReadAll(path);
  EXPECT_EQ(files.size(), 2u);
  EXPECT_EQ(all.find("one"), std::string::npos);
  EXPECT_NE(all.find("two two\n"), std::string::npos);
  EXPECT_NE(all.find("three t\n"), std::string::npos);
  fs::remove_all(folder);
}

// Runs `body` in a child process with the given environment; returns what it printed.
std::string RunChild(const std::map<std::string, std::string>& environment, void (*body)()) {
  int pipe_ends[2];
  EXPECT_EQ(pipe(pipe_ends), 0);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    dup2(pipe_ends[1], STDOUT_FILENO);
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    body();
    std::fflush(stdout);
    _exit(0);
  }
  close(pipe_ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(pipe_ends[0], buffer, sizeof(buffer))) > 0;) text.append(buffer, n);
  close(pipe_ends[0]);
  waitpid(child, nullptr, 0);
  return text;
}

void WriteThree() {
  CAIRN_LOG(kGe, kInfo, "hidden");
  CAIRN_LOG(kGe, kError, "two\nlines ", 42);
  CAIRN_LOG_TO(kRun, kRuntime, kEvent, "started");
}

TEST(Log, WritesFilesByKindAndNothingToStdout) {
  const fs::path root = FreshFolder("plog");
  EXPECT_EQ(RunChild({{"ASCEND_PROCESS_LOG_PATH", root.string()}}, WriteThree), "");
  const auto debug = FilesIn(root / "debug/plog");
  const auto run = FilesIn(root / "run/plog");
  ASSERT_EQ(debug.size(), 1u);
  ASSERT_EQ(run.size(), 1u);
  EXPECT_TRUE(std::regex_match(debug[0].filename().string(), std::regex(R"(plog-\d+_\d{17}\.log)")))
      << debug[0];
  EXPECT_TRUE(std::regex_match(
      ReadAll(debug[0]),
      std::regex(R"(\[ERROR\] GE\(\d+,base_test\):\d{4}-\d\d-\d\d-\d\d:\d\d:\d\d\.\d{3}\.\d{3} )"
                 R"(\[log_test\.cpp:\d+\]\d+ WriteThree: two lines 42\n)")))
      << ReadAll(debug[0]);
  EXPECT_NE(ReadAll(run[0]).find("[EVENT] RUNTIME("), std::string::npos);
  EXPECT_TRUE(FilesIn(root / "security/plog").empty());
  fs::remove_all(root);
}

TEST(Log, AFileSizeLimitDropsRecordsAndKillsNothing) {
  const fs::path root = FreshFolder("limit");
  const std::string text = RunChild({{"ASCEND_PROCESS_LOG_PATH", root.string()}}, [] {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_FSIZE, &none);
    WriteThree();
    std::fputs("alive", stdout);
  });
  EXPECT_EQ(text, "alive");
  fs::remove_all(root);
}

TEST(Log, StdoutSwitchReplacesTheFiles) {
  const fs::path root = FreshFolder("stdout");
  const std::string text =
      RunChild({{"ASCEND_PROCESS_LOG_PATH", root.string()}, {"ASCEND_LOG_PRINT_TO_STDOUT", "1"}},
               WriteThree);
  EXPECT_NE(text.find("two lines 42"), std::string::npos);
  EXPECT_FALSE(fs::exists(root));
}

}  // namespace
}  // namespace cairn
