// SPDX-License-Identifier: Apache-2.0
// Epilogues and element-wise groups: what joins, what must stay outside.
#include "passes/pass_test.h"

namespace cairn {
namespace {

TEST(FuseEpilogues, ResidualAndActivationFollowTheLaterConvolution) {
  ExpectRewrite("FuseEpilogues", R"(graph @g(%x: f32[1,3,4,4]) -> (%y) {
      const %w: f32[3,3,1,1] = random<1>
      const %k: f32[3,1,1] = random<2>
      const %two: f32[] = dense<2>
      %a = Conv(%x, %w) %r = Relu(%a) %b = Conv(%r, %w) %c = Mul(%b, %k) %d = Add(%x, %c)
      %e = Mul(%two, %d) %y = Relu(%e) })",
                R"(graph @g(%x: f32[1,3,4,4]) -> (%y) {
      const %w: f32[3,3,1,1] = random<1>
      %r = Conv(%x, %w) {num_epilogue_inputs = 0, epilogue = @epilogue(%p: f32[1,3,4,4]) -> (%q) { %q = Relu(%p) }}
      const %k: f32[3,1,1] = random<2>
      %y = Conv(%r, %w, %k, %x) {num_epilogue_inputs = 2,
        epilogue = @epilogue(%p: f32[1,3,4,4], %k: f32[3,1,1], %x: f32[1,3,4,4]) -> (%y) {
          %c = Mul(%p, %k) %d = Add(%x, %c) const %two: f32[] = dense<2> %e = Mul(%two, %d) %y = Relu(%e) }} })",
                0);
}

TEST(FuseEpilogues, AValueUsedTwiceInsideIsFine) {
  auto graph = ParseAndInfer(R"(graph @g(%x: f32[1,3,4,4]) -> (%y) {
      const %w: f32[3,3,1,1] = random<1>
      %a = Conv(%x, %w) %s = Sigmoid(%a) %m = Mul(%a, %s) %y = Neg(%m) })");
  const auto before = graph->Clone();
  EXPECT_EQ(RunPassTo(*graph, "FuseEpilogues"), 1);
  EXPECT_EQ(graph->num_nodes(), 1u);
  EXPECT_EQ(ResultDifference(*before, *graph), 0);
}

TEST(FuseEpilogues, StopsAtValuesReadElsewhere) {
  // %a is read by two nodes, %c is a graph output: the chain ends there.
  auto graph = ParseAndInfer(R"(graph @g(%x: f32[1,3,4,4]) -> (%y, %c, %z) {
      const %w: f32[3,3,1,1] = random<1>
      %a = Conv(%x, %w) %y = Relu(%a) %g = GlobalAveragePool(%a) %z = Mul(%a, %g)
      %b = Conv(%x, %w) %c = Relu(%b) %d = Neg(%c) %u = Add(%d, %y) })");
  EXPECT_EQ(RunPassTo(*graph, "FuseEpilogues"), 1);
  const Node* b = graph->FindNode("b");
  ASSERT_TRUE(b && b->epilogue());
  EXPECT_EQ((*b->epilogue())->num_nodes(), 1u);
  EXPECT_EQ(b->output()->name(), "c");
}

TEST(FuseEpilogues, OperandsThatDependOnTheResultCannotEnter) {
  ExpectUnchanged("FuseEpilogues", R"(graph @g(%x: f32[1,3,4,4]) -> (%y) {
      const %w: f32[3,3,1,1] = random<1>
      %a = Conv(%x, %w) %p = MaxPool(%a) {kernel_shape = [1, 1]} %y = Add(%a, %p) })");
}

TEST(FuseEpilogues, OddBroadcastsAndShapeChangesStayOutside) {
  ExpectUnchanged(
      "FuseEpilogues",
      R"(graph @g(%x: f32[1,3,4,4], %r: f32[4,1], %n: f32[2,1,1,1], %h: f16[3,1,1]) -> (%a, %b, %c) {
      const %w: f32[3,3,1,1] = random<1>
      %p = Conv(%x, %w) %a = Add(%p, %r)
      %q = Conv(%x, %w) %b = Add(%q, %n)
      %s = Conv(%x, %w) %c = Cast(%s) {to = type f16[*]} })");
}

TEST(FuseEpilogues, MatMulTakesBiasAndResidual) {
  auto graph = ParseAndInfer(R"(graph @g(%x: f32[2,5,8]) -> (%y) {
      const %w: f32[8,8] = random<1>
      const %b: f32[8] = random<2>
      %m = MatMul(%x, %w) %a = Add(%b, %m) %g = Gelu(%a) %y = Add(%g, %x) })");
  const auto before = graph->Clone();
  EXPECT_EQ(RunPassTo(*graph, "FuseEpilogues"), 1);
  EXPECT_EQ(graph->num_nodes(), 1u);
  EXPECT_EQ(graph->Nodes()[0]->num_epilogue_inputs(), 2);
  EXPECT_EQ(ResultDifference(*before, *graph), 0);
}

TEST(GroupElementwise, ChainsBecomeOneNode) {
  ExpectRewrite("GroupElementwise", R"(graph @g(%x: f32[2,3], %z: f32[3]) -> (%y, %a) {
      const %two: f32[1,1] = dense<2>
      %a = Add(%x, %z) %b = Mul(%a, %two) %y = Tanh(%b) })",
                R"(graph @g(%x: f32[2,3], %z: f32[3]) -> (%y, %a) {
      %a, %y = ElementwiseGroup(%x, %z) {body = @body(%x: f32[2,3], %z: f32[3]) -> (%a, %y) {
        %a = Add(%x, %z) const %two: f32[] = dense<2> %b = Mul(%a, %two) %y = Tanh(%b) }} })",
                0);
}

TEST(GroupElementwise, NeverMakesACycle) {
  // %a -> Softmax -> %y leaves and would re-enter.
  ExpectUnchanged("GroupElementwise", R"(graph @g(%x: f32[2,3]) -> (%y) {
      %a = Relu(%x) %s = Softmax(%a) {axis = 1} %y = Add(%a, %s) })");
  // Two chains, each convex alone, that read each other: they cannot both be groups, and neither
  // can move.
  ExpectUnchanged("GroupElementwise", R"(graph @g(%x: f32[2,3], %z: f32[2,3]) -> (%b, %d) {
      %a = Relu(%x) %c = Neg(%z)
      %sa = Softmax(%a) {axis = 1} %sc = Softmax(%c) {axis = 1}
      %d = Add(%c, %sa) %b = Add(%a, %sc) })");
}

TEST(GroupElementwise, BranchesAndLateOperandsJoin) {
  auto graph = ParseAndInfer(R"(graph @g(%x: f32[2,3]) -> (%y) {
      %a = Relu(%x) %s = Softmax(%x) {axis = 1} %b = Neg(%a) %c = Exp(%a)
      %d = Add(%b, %c) %y = Mul(%d, %s) })");
  const auto before = graph->Clone();
  EXPECT_EQ(RunPassTo(*graph, "GroupElementwise"), 1);
  EXPECT_EQ(graph->num_nodes(), 2u);
  EXPECT_EQ(ResultDifference(*before, *graph), 0);
}

TEST(GroupElementwise, ShapesAndTypesDivideGroups) {
  ExpectUnchanged("GroupElementwise",
                  R"(graph @g(%x: f32[1,3], %z: f32[2,3], %i: i64[4]) -> (%y, %j) {
      %a = Relu(%x) %y = Add(%a, %z)
      %b = Neg(%i) %j = Add(%b, %i) })");
}

TEST(GroupElementwise, GroupsStaySmall) {
  std::string text = "graph @g(%x: f32[2,3]) -> (%v99) { %v0 = Relu(%x) ";
  for (int i = 1; i < 100; ++i) {
    const std::string n = std::to_string(i), p = std::to_string(i - 1);
    text += "%v" + n + " = " + (i % 2 ? "Sin" : "Tanh") + "(%v" + p + ") ";
  }
  auto graph = ParseAndInfer(text + "}");
  const auto before = graph->Clone();
  EXPECT_EQ(RunPassTo(*graph, "GroupElementwise"), 5);
  EXPECT_EQ(graph->num_nodes(), 5u);
  EXPECT_EQ(ResultDifference(*before, *graph), 0);
}

}  // namespace
}  // namespace cairn
