// SPDX-License-Identifier: Apache-2.0
// Planned programs give the reference's results; views, model inputs and outputs need no copies.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/plan_runner.h"

namespace cairn::testing {
namespace {

int CountTasks(const plan::CompiledProgram& compiled, const std::string& kernel) {
  const auto& tasks = compiled.program.tasks;
  return static_cast<int>(std::count_if(tasks.begin(), tasks.end(),
                                        [&](const Task& task) { return task.kernel == kernel; }));
}

TEST(PlanProgram, RunsEveryNodeOnTheReferenceWhenAsked) {
  auto graph = GraphFromText(R"(graph @main(%x: f32[2,3,4,5]) -> (%z as "z") {
    %y: f32[2,3,4,5] = Relu(%x)
    %z: f32[2,3,4,5] = Relu(%y)
  })");
  ASSERT_TRUE(graph);
  plan::PlanOptions options;
  options.use_kernels = false;
  const auto compiled = ExpectMatchesReference(*graph, options, 0);
  EXPECT_EQ(CountTasks(compiled, "reference"), 2);
  EXPECT_EQ(compiled.report.reference_nodes.size(), 2u);
}

TEST(PlanProgram, InputsAndOutputsAreUsedInPlace) {
  auto graph = GraphFromText(R"(graph @main(%x: f32[2,3,4,5]) -> (%y as "y") {
    %y: f32[2,3,4,5] = Relu(%x)
  })");
  ASSERT_TRUE(graph);
  const auto compiled = ExpectMatchesReference(*graph, {}, 0);
  EXPECT_EQ(compiled.program.tasks.size(), 1u);
  EXPECT_EQ(compiled.program.arena_bytes, 0u);
}

TEST(PlanProgram, AnOutputThatIsAnInputIsCopied) {
  auto graph =
      GraphFromText(R"(graph @main(%x: f32[7]) -> (%x as "same", %y as "y", %y as "twice") {
    %y: f32[7] = Relu(%x)
  })");
  ASSERT_TRUE(graph);
  const auto compiled = ExpectMatchesReference(*graph, {}, 0);
  EXPECT_EQ(CountTasks(compiled, "copy"), 2);
}

TEST(PlanProgram, ShapesUnknownAtCompileTimeAreRefusedByName) {
  auto graph = GraphFromText(R"(graph @main(%x: f32[N,3]) -> (%y as "y") {
    %y: f32[N,3] = Relu(%x)
  })");
  ASSERT_TRUE(graph);
  auto compiled = plan::PlanProgram(*graph, HostTarget(), {});
  ASSERT_FALSE(compiled.ok());
  EXPECT_EQ(compiled.status().code(), Code::kUnsupported);
  EXPECT_NE(compiled.status().message().find("'x'"), std::string::npos);
}

TEST(PlanProgram, TheSameGraphGivesTheSameBytes) {
  const char* text = R"(graph @main(%x: f32[2,30,9,5]) -> (%z as "z") {
    %y: f32[2,30,9,5] = Relu(%x)
    %z: f32[2,30,9,5] = Relu(%y)
  })";
  auto first = plan::PlanProgram(*GraphFromText(text), HostTarget(), {});
  auto second = plan::PlanProgram(*GraphFromText(text), HostTarget(), {});
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(*WriteProgram(first->program), *WriteProgram(second->program));
  EXPECT_EQ(first->weights, second->weights);
}

}  // namespace
}  // namespace cairn::testing
