// SPDX-License-Identifier: Apache-2.0
// Sums and JSON of task times.
#include "runtime/profile.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/copy_model.h"

namespace cairn::runtime {
namespace {

TEST(ModelProfile, ListsTasksByTheirTime) {
  Program program = testing::CopyProgram({{"x", "y", ElementType::kF32, {2}}});
  program.tasks[0].name = "with \"quotes\"\n";
  program.tasks[1].flops = 4000;
  ModelProfile profile(3, program);
  profile.Add({{{0, 0, 1000}, {1, 1000, 4000}}});
  profile.Add({{{0, 0, 3000}, {1, 3000, 8000}}});
  const auto json = nlohmann::json::parse(profile.ToJson());
  EXPECT_EQ(json["model"], "copy");
  EXPECT_EQ(json["model_id"], 3);
  EXPECT_EQ(json["runs"], 2);
  EXPECT_EQ(json["mean_us"], 6.0);
  ASSERT_EQ(json["tasks"].size(), 2u);
  EXPECT_EQ(json["tasks"][0]["name"], "y_out");
  EXPECT_EQ(json["tasks"][0]["mean_us"], 4.0);
  EXPECT_EQ(json["tasks"][0]["min_us"], 3.0);
  EXPECT_EQ(json["tasks"][0]["gflops"], 1.0);
  EXPECT_NEAR(json["tasks"][0]["share"].get<double>(), 8.0 / 12, 1e-6);
  EXPECT_EQ(json["tasks"][1]["name"], "with \"quotes\"\n");
  EXPECT_EQ(json["tasks"][1]["origins"][0], "x_in");
}

TEST(ModelProfile, WithoutRunsThereAreNoTimes) {
  const ModelProfile profile(1, testing::CopyProgram({{"x", "y", ElementType::kF32, {2}}}));
  const auto json = nlohmann::json::parse(profile.ToJson());
  EXPECT_EQ(json["runs"], 0);
  EXPECT_EQ(json["tasks"][0]["min_us"], 0);
}

}  // namespace
}  // namespace cairn::runtime
