// SPDX-License-Identifier: Apache-2.0
// cairn-bench as a process: JSON forms and the interactive protocol.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "bench/statistics.h"
#include "support/copy_model.h"

namespace cairn::testing {
namespace {

namespace fs = std::filesystem;

class Bench : public ::testing::Test {
 protected:
  void SetUp() override {
    model_ = fs::temp_directory_path() / StrCat("cairn_bench_", getpid(), ".om");
    WriteCopyModel(model_,
                   {{"x", "y", ElementType::kF32, {16}}, {"i", "j", ElementType::kI64, {4}}});
  }
  void TearDown() override { fs::remove(model_); }

  /// The lines of the standard output; `input` is the standard input.
  std::vector<std::string> Run(const std::string& arguments, const std::string& input = "") {
    const std::string command =
        "printf '" + input + "' | '" BENCH_PATH "' --model '" + model_.string() + "' " + arguments;
    std::FILE* pipe = popen(command.c_str(), "r");
    std::vector<std::string> lines;
    char line[4096];
    while (std::fgets(line, sizeof(line), pipe) != nullptr) lines.emplace_back(line);
    exit_code_ = WEXITSTATUS(pclose(pipe));
    return lines;
  }

  fs::path model_;
  int exit_code_ = -1;
};

TEST_F(Bench, JsonHoldsLoadFirstAndAllTimes) {
  const auto lines = Run("--json --loop 4");
  EXPECT_EQ(exit_code_, 0);
  ASSERT_EQ(lines.size(), 1u);
  const auto json = nlohmann::json::parse(lines[0]);
  EXPECT_EQ(json["ms"].size(), 4u);
  EXPECT_GT(json["load_ms"].get<double>(), 0);
  EXPECT_GT(json["first_ms"].get<double>(), 0);
}

TEST_F(Bench, ThreadsAddUpAndPercentilesAreInOrder) {
  const auto lines = Run("--json --loop 5 --threads 2");
  EXPECT_EQ(exit_code_, 0);
  ASSERT_EQ(lines.size(), 1u);
  const auto json = nlohmann::json::parse(lines[0]);
  EXPECT_EQ(json["ms"].size(), 10u);
  double last = 0;
  for (const char* key : {"min_ms", "median_ms", "p90_ms", "p99_ms", "max_ms"}) {
    EXPECT_GE(json[key].get<double>(), last) << key;
    last = json[key];
  }
  EXPECT_GT(json["throughput"].get<double>(), 0);
  EXPECT_DOUBLE_EQ(bench::Percentile({1, 2, 3, 4}, 50), 2.5);
  EXPECT_DOUBLE_EQ(bench::Percentile({1, 2, 3, 4}, 99), 3.97);
  EXPECT_DOUBLE_EQ(bench::Percentile({7}, 90), 7);
}

TEST_F(Bench, InteractiveAnswersEveryCommand) {
  const auto lines = Run("--interactive --json", "run 2\\nrun 3\\n");
  EXPECT_EQ(exit_code_, 0);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(nlohmann::json::parse(lines[0]).contains("load_ms"));
  EXPECT_EQ(nlohmann::json::parse(lines[1])["ms"].size(), 2u);
  EXPECT_EQ(nlohmann::json::parse(lines[2])["ms"].size(), 3u);
  Run("--interactive 2>/dev/null", "walk\\n");
  EXPECT_EQ(exit_code_, 1);
}

TEST_F(Bench, FilesMustHaveTheInputsSizes) {
  Run("--inputs '" + model_.string() + "' 2>/dev/null");
  EXPECT_EQ(exit_code_, 1);
  Run("--inputs '" + model_.string() + "," + model_.string() + "' 2>/dev/null");
  EXPECT_EQ(exit_code_, 1);
}

}  // namespace
}  // namespace cairn::testing
