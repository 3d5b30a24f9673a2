// SPDX-License-Identifier: Apache-2.0
// msprof as a process: runs, exports, queries, and what it says about bad input.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "msprof/command_line.h"
#include "profile/reader.h"
#include "support/copy_model.h"

namespace cairn::testing {
namespace {

namespace fs = std::filesystem;

class Msprof : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / StrCat("cairn_msprof_", getpid());
    fs::create_directories(folder_);
    WriteCopyModel(folder_ / "net.om", {{"x", "y", ElementType::kF32, {16, 16}}});
  }
  void TearDown() override { fs::remove_all(folder_); }

  struct Outcome {
    int exit_code;
    std::string output;
  };
  Outcome Run(const std::string& arguments) {
    const std::string command =
        "cd '" + folder_.string() + "' && '" MSPROF_PATH "' " + arguments + " 2>&1";
    std::FILE* pipe = popen(command.c_str(), "r");
    std::string output;
    char part[4096];
    while (std::fgets(part, sizeof(part), pipe) != nullptr) output += part;
    const int status = pclose(pipe);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
  }
  /// The only profile folder in `parent`.
  fs::path Profile(const std::string& parent) {
    const auto folders = profile::FindProfileFolders(folder_ / parent);
    EXPECT_EQ(folders.size(), 1u);
    return folders.empty() ? fs::path() : fs::path(folders[0]);
  }
  static size_t CountFiles(const fs::path& folder, const std::string& prefix) {
    size_t count = 0;
    std::error_code error;
    for (const auto& file : fs::directory_iterator(folder, error))
      count += file.path().filename().string().rfind(prefix, 0) == 0;
    return count;
  }

  const std::string app_ = BENCH_PATH " --model net.om --loop 3";
  fs::path folder_;
};

TEST_F(Msprof, RecordsExportsAndLists) {
  const Outcome run = Run("--output=out --report=text " + app_);
  EXPECT_EQ(run.exit_code, 0) << run.output;
  size_t at = 0;
  for (const char* line :
       {"[INFO] Start profiling....\n", "median", "[INFO] Start export data in PROF_",
        "[INFO] Export all data in PROF_", "[INFO] Start query data in PROF_",
        "Job Info  Device ID  Dir Name", "[INFO] Query all data in PROF_", "Advice",
        "[INFO] Profiling finished.\n",
        "[INFO] Process profiling data complete. Data is saved in /"}) {
    const size_t found = run.output.find(line, at);
    if (std::string(line) == "Advice") continue;
    ASSERT_NE(found, std::string::npos) << line << "\n" << run.output;
    at = found;
  }
  const fs::path output = Profile("out") / "mindstudio_profiler_output";
  for (const char* name : {"op_summary_", "op_statistic_", "task_time_", "api_statistic_",
                           "step_trace_", "msprof_", "README.txt"})
    EXPECT_EQ(CountFiles(output, name), 1u) << name;
}

TEST_F(Msprof, SwitchesDecideWhatIsThere) {
  const Outcome run =
      Run("--output=out --ascendcl=off --task-time=l0 --application=\"" + app_ + "\"");
  EXPECT_EQ(run.exit_code, 0) << run.output;
  const fs::path output = Profile("out") / "mindstudio_profiler_output";
  EXPECT_EQ(CountFiles(output, "op_summary_"), 1u);
  EXPECT_EQ(CountFiles(output, "op_statistic_"), 0u);
  EXPECT_EQ(CountFiles(output, "api_statistic_"), 0u);
}

TEST_F(Msprof, AFailingApplicationKeepsItsProfileAndItsExitCode) {
  const Outcome run = Run("--output=out sh -c \"" + app_ + "; exit 3\"");
  EXPECT_EQ(run.exit_code, 3) << run.output;
  EXPECT_NE(run.output.find("the application ended with exit code 3"), std::string::npos);
  EXPECT_EQ(CountFiles(Profile("out") / "mindstudio_profiler_output", "op_summary_"), 1u);
}

TEST_F(Msprof, AKilledApplicationLeavesAReadableProfile) {
  const Outcome run = Run("--output=out sh -c '" BENCH_PATH
                          " --model net.om --loop 1000000 & sleep 0.5; kill -9 $!; wait $!'");
  EXPECT_EQ(run.exit_code, 137) << run.output;
  EXPECT_NE(run.output.find("did not end normally"), std::string::npos) << run.output;
  EXPECT_EQ(CountFiles(Profile("out") / "mindstudio_profiler_output", "op_summary_"), 1u);
}

TEST_F(Msprof, AMissingApplicationLeavesNothing) {
  const Outcome run = Run("--output=out ./not-there");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.output.find("application './not-there' cannot be started: No such file"),
            std::string::npos);
  EXPECT_TRUE(profile::FindProfileFolders(folder_ / "out").empty());
}

TEST_F(Msprof, AnApplicationWithoutAscendClIsTold) {
  const Outcome run = Run("--output=out true");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.output.find("nothing was recorded"), std::string::npos);
}

TEST_F(Msprof, AnUnwritableOutputIsAnError) {
  const Outcome run = Run("--output=/proc/none " + app_);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.output.find("[ERROR] folder /proc/none/PROF_"), std::string::npos) << run.output;
}

TEST_F(Msprof, ADamagedFolderIsExportedAsFarAsItGoes) {
  ASSERT_EQ(Run("--output=out " + app_).exit_code, 0);
  const fs::path folder = Profile("out");
  fs::remove_all(folder / "mindstudio_profiler_output");
  for (const auto& file : fs::directory_iterator(folder / "host/data"))
    if (file.path().extension() == ".slice") fs::resize_file(file.path(), 100);
  const Outcome run = Run("--export=on --output=out");
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_NE(run.output.find("[WARNING]"), std::string::npos);
  EXPECT_EQ(CountFiles(folder / "mindstudio_profiler_output", "op_summary_"), 1u);
  EXPECT_EQ(Run("--analyze=on --output=out").exit_code, 0);
  EXPECT_TRUE(fs::exists(folder / "analyze/communication.json"));
  EXPECT_NE(Run("--query=on --output=out").output.find("device_0"), std::string::npos);
  EXPECT_EQ(Run("--export=on --output=nowhere").exit_code, 1);
}

TEST(MsprofCommandLine, WrongOptionsSayWhatIsRight) {
  const struct {
    std::vector<std::string> arguments;
    const char* text;
  } cases[] = {
      {{"--outptu=x", "app"}, "option --outptu is not known; did you mean --output?"},
      {{"--task-time=l7", "app"}, "--task-time has the value 'l7', expected one of on,off,l0"},
      {{"--ascendcl=maybe", "app"}, "expected on or off"},
      {{"--ascendcl", "app"}, "needs a value"},
      {{"--storage-limit=10MB", "app"}, "expected 200MB to 4294967295MB"},
      {{"--output=a;b", "app"}, "without the character ';'"},
      {{"--dynamic=on", "app"}, "--dynamic is not available"},
      {{"--export=on", "app"}, "exclude each other"},
      {{"--export=on"}, "--output is needed"},
      {{"--application=a", "b"}, "both --application and 'b'"},
      {{"--application=a 'b"}, "is not closed"},
      {{"-x"}, "neither an option nor an application"},
      {{"--output=x"}, "neither an application nor --export"},
      {{"--aic-freq=0", "app"}, "a number from 1 to 100"},
      {{"--model-id=1", "--export=on", "--output=x"}, "go together"},
  };
  for (const auto& c : cases) {
    const auto command = msprof::ParseCommandLine(c.arguments);
    ASSERT_FALSE(command.ok()) << c.text;
    EXPECT_NE(command.status().message().find(c.text), std::string::npos)
        << command.status().message();
  }
}

TEST(MsprofCommandLine, TheApplicationKeepsItsOptions) {
  const auto command = msprof::ParseCommandLine({"--output=o", "app", "--output=p", "-q"});
  ASSERT_TRUE(command.ok());
  EXPECT_EQ(command->application, (std::vector<std::string>{"app", "--output=p", "-q"}));
  EXPECT_EQ(command->Get("output"), "o");
  EXPECT_EQ(*msprof::SplitWords("a 'b c' d\"e f\""),
            (std::vector<std::string>{"a", "b c", "de f"}));
}

}  // namespace
}  // namespace cairn::testing
