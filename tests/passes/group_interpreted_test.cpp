// SPDX-License-Identifier: Apache-2.0
// Operators on sequences, optionals and strings become nodes that programs can hold.
#include "passes/pass_test.h"

namespace cairn {
namespace {

TEST(GroupInterpreted, TakesInAllThatASequencePasses) {
  const auto original = ParseAndInfer(R"(graph @g(%x: f32[2], %z: f32[2]) -> (%y, %n) {
      %s = SequenceConstruct(%x, %z)
      %t = SequenceInsert(%s, %x)
      const %i: i64[] = dense<[1]>
      %a = SequenceAt(%t, %i)
      %n = SequenceLength(%t)
      %y = Relu(%a) })");
  const auto graph = original->Clone();
  EXPECT_EQ(RunPassTo(*graph, "GroupInterpreted"), 1);
  ASSERT_EQ(graph->num_nodes(), 2u);
  const Node* group = graph->Nodes()[0];
  EXPECT_EQ(group->op(), "InterpretedGroup");
  EXPECT_EQ(group->outputs().size(), 2u);
  EXPECT_EQ(ResultDifference(*original, *graph), 0);
  EXPECT_EQ(RunPassTo(*graph, "GroupInterpreted"), 0);
}

TEST(GroupInterpreted, TakesInWhatLiesBetweenItsOperators) {
  const auto original = ParseAndInfer(R"(graph @g(%x: f32[2]) -> (%y) {
      %s = SequenceConstruct(%x)
      %n = SequenceLength(%s)
      %m = Neg(%n)
      %a = SequenceAt(%s, %m)
      %y = Relu(%a) })");
  const auto graph = original->Clone();
  EXPECT_EQ(RunPassTo(*graph, "GroupInterpreted"), 1);
  EXPECT_EQ(graph->num_nodes(), 2u);
  EXPECT_EQ(ResultDifference(*original, *graph), 0);
}

TEST(GroupInterpreted, KeepsSequencesThatDoNotMeetApart) {
  const auto graph = ParseAndInfer(R"(graph @g(%x: f32[2]) -> (%y) {
      const %i: i64[] = dense<[0]>
      %s = SequenceConstruct(%x)
      %a = SequenceAt(%s, %i)
      %r = Relu(%a)
      %t = SequenceConstruct(%r)
      %y = SequenceAt(%t, %i) })");
  EXPECT_EQ(RunPassTo(*graph, "GroupInterpreted"), 2);
  EXPECT_EQ(graph->num_nodes(), 3u);
}

TEST(GroupInterpreted, LeavesTensorsAlone) {
  const auto graph = ParseAndInfer("graph @g(%x: f32[2]) -> (%y) { %a = Neg(%x) %y = Abs(%a) }");
  EXPECT_EQ(RunPassTo(*graph, "GroupInterpreted"), 0);
}

}  // namespace
}  // namespace cairn
