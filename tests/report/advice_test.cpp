// SPDX-License-Identifier: Apache-2.0
// Each rule finds its planted trouble, says what to change, and keeps quiet without it.
#include "report/advice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "planted_profile.h"
#include "report/text_report.h"

namespace cairn::report {
namespace {

using cairn::testing::PlantedProfile;

/// The advice of `rule`; empty rule when there is none.
Advice Find(const Profile& profile, const std::string& rule) {
  const auto advice = FindAdvice(profile);
  const auto found = std::find_if(advice.begin(), advice.end(),
                                  [&](const Advice& entry) { return entry.rule == rule; });
  return found == advice.end() ? Advice{} : *found;
}

TEST(Advice, AHealthyProfileHasNone) {
  PlantedProfile planted;
  TaskStats& conv = planted.AddTask("Conv", 1000);
  planted.task(conv).flops = 8e7;  // 80 of 100 GFLOP/s.
  planted.AddRun(0, 1000);
  planted.AddRun(1010, 1000);
  EXPECT_TRUE(FindAdvice(planted.get()).empty());
  EXPECT_NE(Diagnosis(planted.get()).find("Conv takes 100 %"), std::string::npos);
}

TEST(Advice, LayoutConversionsNameEdgesReasonsAndTheExport) {
  PlantedProfile planted;
  planted.AddTask("Conv", 500);
  TaskStats& trans = planted.AddTask("TransData", 200);
  planted.task(trans).attributes["reason"] =
      std::string("kernel 'x' of 'y' needs the plain layout");
  planted.AddTask("Transpose", 300);
  planted.AddRun(0, 1000);
  const Advice advice = Find(planted.get(), "layout-conversions");
  EXPECT_NEAR(advice.gain_percent, 50, 0.1);
  EXPECT_NE(advice.measured.find("Transpose3 (30.0 %)"), std::string::npos);
  EXPECT_NE(advice.measured.find("kernel 'x' of 'y' needs the plain layout"), std::string::npos);
  EXPECT_NE(advice.change.find("NCHW"), std::string::npos);
  PlantedProfile little;
  little.AddTask("Conv", 960);
  little.AddTask("TransData", 40);
  EXPECT_EQ(Find(little.get(), "layout-conversions").rule, "");
}

TEST(Advice, ManyTinyTasksAreATail) {
  PlantedProfile planted;
  planted.AddTask("Conv", 300);
  for (int i = 0; i < 100; ++i) planted.AddTask("Add", 1);
  planted.AddRun(0, 400);
  const Advice advice = Find(planted.get(), "tiny-tasks");
  EXPECT_EQ(advice.title, "100 of 101 tasks take less than 5 us each");
  EXPECT_NE(advice.measured.find("25.0 %"), std::string::npos);
}

TEST(Advice, WeightsReadAtTheMemorysSpeedAskForBatchOrQuantization) {
  PlantedProfile planted;
  ProgramTensor weights;
  weights.dtype = ElementType::kF32;
  weights.storage = Storage::kWeights;
  weights.bytes = 16'000'000;
  planted.program().tensors.push_back(weights);
  TaskStats& matmul = planted.AddTask("MatMul", 1000);
  planted.task(matmul).inputs = {0};
  planted.task(matmul).traffic_bytes = 16.1e6;  // 16 of 20 GB/s.
  planted.task(matmul).flops = 8e6;
  planted.AddRun(0, 1000);
  EXPECT_NE(Find(planted.get(), "fp32-weights").change.find("--dynamic_batch_size"),
            std::string::npos);
  planted.program().tensors[0].dtype = ElementType::kI8;
  EXPECT_EQ(Find(planted.get(), "fp32-weights").rule, "");
}

TEST(Advice, TheReferenceKernelIsNamed) {
  PlantedProfile planted;
  planted.AddTask("Conv", 900);
  planted.AddTask("DeformConv", 100, "reference");
  planted.AddRun(0, 1000);
  const Advice advice = Find(planted.get(), "reference-kernel");
  EXPECT_EQ(advice.title, "no fast kernel for DeformConv");
  EXPECT_NE(advice.measured.find("10.0 %"), std::string::npos);
}

TEST(Advice, ManyShapesOfOneModelAskForGears) {
  PlantedProfile planted;
  planted.AddTask("Conv", 100);
  std::vector<Program> shapes(5);
  for (const Program& shape : shapes) planted.AddRun(0, 100, &shape);
  EXPECT_NE(Find(planted.get(), "dynamic-shapes").title.find("5 different shapes"),
            std::string::npos);
}

TEST(Advice, WaitingAtBarriersIsAnUnbalancedPartition) {
  PlantedProfile planted;
  TaskStats& conv = planted.AddTask("Conv", 1000);
  conv.cores = 2;
  conv.barrier_wait_us = 800;
  planted.AddRun(0, 1000);
  EXPECT_NEAR(Find(planted.get(), "unbalanced-partition").gain_percent, 40, 0.1);
}

TEST(Advice, CopiesAroundTheRunsAreFound) {
  PlantedProfile planted;
  planted.AddTask("Conv", 1000);
  for (int i = 0; i < 4; ++i) {
    planted.AddRun(i * 1000, 800);
    planted.AddCall(profile::CallLevel::kAcl, "aclrtMemcpy", i * 1000 + 800, 150);
  }
  EXPECT_NE(Find(planted.get(), "host-copies").title.find("15.8 %"), std::string::npos);
}

TEST(Advice, AnApplicationThatWorksBetweenRunsIsTold) {
  PlantedProfile planted;
  planted.AddTask("Conv", 1000);
  for (int i = 0; i < 4; ++i) planted.AddRun(i * 2000, 1000);
  EXPECT_NE(Find(planted.get(), "host-work").change.find("--insert_op_conf"), std::string::npos);
}

TEST(Advice, RunsAndStreamsThatWaitAreFound) {
  PlantedProfile planted;
  planted.AddTask("Conv", 1000);
  for (int i = 0; i < 4; ++i) {
    planted.AddRun(i * 1000, 1000);
    planted.AddCall(profile::CallLevel::kAcl, "aclmdlExecute", i * 1000, 2000);
    planted.AddCall(profile::CallLevel::kRuntime, "StreamWaitEvent", i * 1000, 300);
  }
  EXPECT_NE(Find(planted.get(), "model-switching").change.find("once for each thread"),
            std::string::npos);
  EXPECT_NE(Find(planted.get(), "stream-waits").title.find("30.0 %"), std::string::npos);
}

TEST(Advice, MoreCoresPlannedThanAllowed) {
  PlantedProfile planted;
  planted.AddTask("Conv", 1000);
  planted.program().planned_cores = 8;
  planted.AddRun(0, 1000);
  EXPECT_EQ(Find(planted.get(), "threads-above-quota").change, "Compile with atc --aicore_num=2.");
}

TEST(Advice, ADebugLogIsNoticed) {
  PlantedProfile planted;
  planted.AddTask("Conv", 1000);
  planted.AddRun(0, 1000);
  planted.get().raw.processes.push_back({17, "app", "0", true});
  EXPECT_EQ(Find(planted.get(), "debug-log").change, "export ASCEND_GLOBAL_LOG_LEVEL=3");
  planted.get().raw.processes[0].log_level = "3";
  EXPECT_EQ(Find(planted.get(), "debug-log").rule, "");
}

TEST(Advice, SlowArithmeticAsksForTuning) {
  PlantedProfile planted;
  TaskStats& conv = planted.AddTask("Conv", 1000);
  planted.task(conv).flops = 1e7;  // 10 of 100 GFLOP/s.
  planted.AddRun(0, 1000);
  EXPECT_NE(Find(planted.get(), "tuning").change.find("--tune=on"), std::string::npos);
}

TEST(TextReport, FitsIn80ColumnsAndRanksByTime) {
  PlantedProfile planted;
  planted.AddTask("Conv", 700);
  planted.AddTask("AnOperatorWithAVeryLongTypeNameIndeed", 200);
  TaskStats& last = planted.AddTask("TransData", 100);
  planted.task(last).name = std::string(200, 'n');
  planted.AddRun(0, 1000);
  const std::string text = TextReport(planted.get());
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_LT(text.find("Conv "), text.find("TransData "));
  EXPECT_NE(text.find("1. "), std::string::npos);
}

}  // namespace
}  // namespace cairn::report
