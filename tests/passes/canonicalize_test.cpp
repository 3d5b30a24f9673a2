// SPDX-License-Identifier: Apache-2.0
// Canonicalizing and folding passes: before, after, near misses.
#include "passes/pass_test.h"

namespace cairn {
namespace {

TEST(FoldConstants, EvaluatesConstantNodes) {
  ExpectRewrite("FoldConstants", R"(graph @g(%x: f32[3]) -> (%y) {
      const %a: f32[3] = dense<[1, 2, 3]>
      const %b: f32[] = dense<2>
      %c = Mul(%a, %b) %d = Neg(%c) %y = Add(%x, %d) })",
                R"(graph @g(%x: f32[3]) -> (%y) {
      const %d: f32[3] = dense<[-2, -4, -6]>
      %y = Add(%x, %d) })");
}

TEST(FoldConstants, DoesNotBlowUpSmallConstants) {
  ExpectUnchanged("FoldConstants", R"(graph @g(%x: f32[1000,1000]) -> (%y) {
      const %shape: i64[2] = dense<[1000, 1000]>
      %ones = ConstantOfShape(%shape) {value = tensor f32[1] dense<[1]>}
      %y = Sub(%x, %ones) })");
}

TEST(FoldConstants, MakesWeightsOfGeneratedConstants) {
  auto graph = ParseAndInfer(R"(graph @g(%x: f32[1,64,8,8]) -> (%y) {
      const %shape: i64[4] = dense<[64, 64, 3, 3]>
      %w = ConstantOfShape(%shape) {value = tensor f32[1] dense<[0.02]>}
      %y = Conv(%x, %w) })");
  ASSERT_NE(graph, nullptr);
  EXPECT_EQ(RunPassTo(*graph, "FoldConstants"), 1);
  EXPECT_TRUE(graph->FindNode("y")->input(1)->is_constant());
  EXPECT_EQ(graph->FindNode("y")->input(1)->name(), "w");
}

TEST(FoldConstants, LeavesHeavyWorkAndRandomNumbers) {
  ExpectUnchanged("FoldConstants", R"(graph @g() -> (%y) {
      const %a: f32[2000,2000] = dense<1>
      %y = MatMul(%a, %a) })");
}

TEST(FoldConstants, LeavesFaultsToTheRun) {
  ExpectUnchanged("FoldConstants", R"(graph @g() -> (%y) {
      const %a: f32[2] = dense<[7, 5]>
      const %i: i64[1] = dense<[9]>
      %y = GatherElements(%a, %i) {axis = 0} })");
}

TEST(FoldShapes, ChainsOverKnownDimsBecomeConstants) {
  ExpectRewrite("FoldShapes", R"(graph @g(%x: f32[N,12,4,4]) -> (%y) {
      const %zero: i64[1] = dense<[0]>
      const %two: i64[1] = dense<[2]>
      const %minus: i64[1] = dense<[-1]>
      %s = Shape(%x) {start = 0}
      %n = Gather(%s, %zero) {axis = 0}
      %t = Concat(%n, %two, %minus) {axis = 0}
      %y = Reshape(%x, %t) })",
                R"(graph @g(%x: f32[N,12,4,4]) -> (%y) {
      const %t: i64[3] = dense<[0, 2, 96]>
      %y = Reshape(%x, %t) {allowzero = 0} })");
  ExpectRewrite("FoldShapes", R"(graph @g(%x: f32[2,3]) -> (%y) {
      %y = Shape(%x) {start = 0} })",
                R"(graph @g(%x: f32[2,3]) -> (%y) { const %y: i64[2] = dense<[2, 3]> })");
}

TEST(FoldShapes, TwoFreeSymbolsStay) {
  ExpectUnchanged("FoldShapes", R"(graph @g(%x: f32[M,N,6]) -> (%y) {
      const %perm: i64[3] = dense<[1, 0, 2]>
      %s = Shape(%x) {start = 0}
      %t = Gather(%s, %perm) {axis = 0}
      %y = Reshape(%x, %t) })");
}

TEST(RemoveNoOps, RemovesCopies) {
  ExpectRewrite("RemoveNoOps", R"(graph @g(%x: f32[2,3]) -> (%y) {
      const %z: i64[4] = dense<[0, 0, 0, 0]>
      const %start: i64[1] = dense<[0]>
      const %end: i64[1] = dense<[100]>
      const %shape: i64[2] = dense<[2, 1]>
      const %repeats: i64[2] = dense<[1, 1]>
      %a = Identity(%x) %c = Cast(%a) {to = type f32[*]}
      %d = Transpose(%c) {perm = [0, 1]} %e = Pad(%d, %z) {mode = "constant"}
      %f = Slice(%e, %start, %end) %g = Concat(%f) {axis = 0} %h = Expand(%g, %shape)
      %i = Tile(%h, %repeats) %y = Relu(%i) })",
                "graph @g(%x: f32[2,3]) -> (%y) { %y = Relu(%x) }", 0);
}

TEST(RemoveNoOps, KeepsWhatChangesSomething) {
  ExpectUnchanged("RemoveNoOps", R"(graph @g(%x: f32[2,3]) -> (%a, %b, %c) {
      const %start: i64[1] = dense<[-1]>
      const %end: i64[1] = dense<[-100]>
      const %axes: i64[1] = dense<[1]>
      const %steps: i64[1] = dense<[-1]>
      const %shape: i64[3] = dense<[1, 2, 3]>
      %a = Slice(%x, %start, %end, %axes, %steps)
      %b = Expand(%x, %shape)
      %c = Transpose(%x) {perm = [1, 0]} })");
}

TEST(RemoveNoOps, KeepsTheRoundingOfCastPairs) {
  ExpectUnchanged("RemoveNoOps", R"(graph @g(%x: f32[8]) -> (%y) {
      %a = Cast(%x) {to = type f16[*]} %y = Cast(%a) {to = type f32[*]} })");
  ExpectRewrite("RemoveNoOps", R"(graph @g(%x: f16[8]) -> (%y) {
      %a = Cast(%x) {to = type f32[*]} %b = Cast(%a) {to = type f16[*]} %y = Neg(%b) })",
                "graph @g(%x: f16[8]) -> (%y) { %y = Neg(%x) }", 0);
  ExpectUnchanged("RemoveNoOps", R"(graph @g(%x: i32[8]) -> (%y) {
      %a = Cast(%x) {to = type f32[*]} %y = Cast(%a) {to = type i32[*]} })");
}

TEST(RemoveArithmeticIdentities, OnlyWhenEveryBitStays) {
  ExpectRewrite("RemoveArithmeticIdentities", R"(graph @g(%x: f32[2,3]) -> (%y) {
      const %one: f32[1] = dense<[1]>
      const %zero: f32[] = dense<0>
      const %minus_zero: f32[] = dense<-0>
      %a = Mul(%one, %x) %b = Div(%a, %one) %c = Sub(%b, %zero) %d = Add(%c, %minus_zero)
      %e = Pow(%d, %one) %f = Neg(%e) %g = Neg(%f) %h = Relu(%g) %y = Relu(%h) })",
                "graph @g(%x: f32[2,3]) -> (%y) { %y = Relu(%x) }", 0);
  // -0 + 0 is +0, and the sum with a larger shape is a broadcast.
  ExpectUnchanged("RemoveArithmeticIdentities", R"(graph @g(%x: f32[3]) -> (%y, %z) {
      const %zero: f32[] = dense<0>
      const %ones: f32[2,3] = dense<1>
      %y = Add(%x, %zero) %z = Mul(%x, %ones) })");
}

TEST(CanonicalizeReshapes, OneReshapeForEveryChain) {
  ExpectRewrite("CanonicalizeReshapes", R"(graph @g(%x: f32[1,6,2]) -> (%y) {
      const %axes: i64[1] = dense<[0]>
      const %three: i64[3] = dense<[3, 2, 2]>
      %a = Squeeze(%x, %axes) %b = Unsqueeze(%a, %axes) %c = Reshape(%b, %three) {allowzero = 0}
      %y = Flatten(%c) {axis = 1} })",
                R"(graph @g(%x: f32[1,6,2]) -> (%y) {
      const %s: i64[2] = dense<[3, 4]>
      %y = Reshape(%x, %s) {allowzero = 0} })",
                0);
  ExpectRewrite("CanonicalizeReshapes", R"(graph @g(%x: f32[N,6]) -> (%y) {
      const %axes: i64[1] = dense<[1]>
      %a = Unsqueeze(%x, %axes) %b = Squeeze(%a, %axes) %y = Relu(%b) })",
                "graph @g(%x: f32[N,6]) -> (%y) { %y = Relu(%x) }", 0);
}

TEST(CommonSubexpressions, FindsEqualNodesAndConstants) {
  ExpectRewrite("EliminateCommonSubexpressions", R"(graph @g(%x: f32[2], %z: f32[2]) -> (%y) {
      const %a: f32[2] = dense<[1, 2]>
      const %b: f32[2] = dense<[1, 2]>
      %p = Add(%x, %a) %q = Add(%b, %x) %r = Relu(%p) %s = Relu(%q) %y = Mul(%r, %s) })",
                R"(graph @g(%x: f32[2], %z: f32[2]) -> (%y) {
      const %a: f32[2] = dense<[1, 2]>
      %p = Add(%x, %a) %r = Relu(%p) %y = Mul(%r, %r) })",
                0);
}

TEST(CommonSubexpressions, DifferentThingsStayApart) {
  ExpectUnchanged("EliminateCommonSubexpressions", R"(graph @g(%x: f32[2], %z: f32[2]) -> (%y) {
      const %zero: f32[1] = dense<[0]>
      const %minus_zero: f32[1] = dense<[-0]>
      const %scalar: f32[] = dense<0>
      %a = Sub(%x, %z) %b = Sub(%z, %x)
      %c = Elu(%a) {alpha = 1.0} %d = Elu(%a) {alpha = 2.0}
      %e = Add(%c, %zero) %f = Add(%c, %minus_zero) %g = Add(%d, %scalar)
      %y = Sum(%b, %e, %f, %g) })");
}

TEST(CancelTransposes, PairsMergeOrVanish) {
  ExpectRewrite("CancelTransposes", R"(graph @g(%x: f32[2,3,4,5]) -> (%y) {
      %a = Transpose(%x) {perm = [0, 2, 3, 1]} %b = Transpose(%a) {perm = [0, 3, 1, 2]} %y = Relu(%b) })",
                "graph @g(%x: f32[2,3,4,5]) -> (%y) { %y = Relu(%x) }", 0);
  ExpectRewrite("CancelTransposes", R"(graph @g(%x: f32[2,3,4]) -> (%y) {
      %a = Transpose(%x) {perm = [2, 0, 1]} %y = Transpose(%a) {perm = [0, 2, 1]} })",
                "graph @g(%x: f32[2,3,4]) -> (%y) { %y = Transpose(%x) {perm = [2, 1, 0]} }", 0);
}

TEST(CancelTransposes, MovingOnesIsAReshape) {
  ExpectRewrite("CancelTransposes", R"(graph @g(%x: f32[2,1,4,1]) -> (%y) {
      %y = Transpose(%x) {perm = [1, 0, 3, 2]} })",
                R"(graph @g(%x: f32[2,1,4,1]) -> (%y) {
      const %s: i64[4] = dense<[1, 2, 1, 4]>
      %y = Reshape(%x, %s) {allowzero = 0} })",
                0);
  ExpectUnchanged("CancelTransposes",
                  "graph @g(%x: f32[2,1,4]) -> (%y) { %y = Transpose(%x) {perm = [2, 1, 0]} }");
}

TEST(SinkTransposes, MeetBehindElementwiseAndConcat) {
  ExpectRewrite("SinkTransposes", R"(graph @g(%x: f32[2,3,4,5], %z: f32[2,3,4,5]) -> (%y) {
      const %k: f32[3] = dense<[1, 2, 3]>
      %a = Transpose(%x) {perm = [0, 2, 3, 1]} %b = Transpose(%z) {perm = [0, 2, 3, 1]}
      %c = Relu(%a) %d = Mul(%b, %k) %e = Add(%c, %d)
      %y = Concat(%e) {axis = 3} })",
                R"(graph @g(%x: f32[2,3,4,5], %z: f32[2,3,4,5]) -> (%y) {
      %c = Relu(%x)
      const %k: f32[1,1,1,3] = dense<[1, 2, 3]>
      %kt = Transpose(%k) {perm = [0, 3, 1, 2]}
      %d = Mul(%z, %kt) %e = Add(%c, %d) %t = Transpose(%e) {perm = [0, 2, 3, 1]}
      %y = Concat(%t) {axis = 3} })",
                0);
  ExpectRewrite("SinkTransposes", R"(graph @g(%x: f32[2,3,4], %z: f32[5,3,4]) -> (%y) {
      %a = Transpose(%x) {perm = [1, 2, 0]} %b = Transpose(%z) {perm = [1, 2, 0]}
      %y = Concat(%a, %b) {axis = -1} })",
                R"(graph @g(%x: f32[2,3,4], %z: f32[5,3,4]) -> (%y) {
      %a = Concat(%x, %z) {axis = 0} %y = Transpose(%a) {perm = [1, 2, 0]} })",
                0);
}

TEST(SinkTransposes, ReductionsFollowTheirAxes) {
  ExpectRewrite("SinkTransposes", R"(graph @g(%x: f32[2,3,4,5]) -> (%y, %z) {
      const %axes: i64[2] = dense<[1, 2]>
      %a = Transpose(%x) {perm = [0, 2, 3, 1]} %y = ReduceMean(%a, %axes) {keepdims = 0}
      %b = Transpose(%x) {perm = [3, 2, 0, 1]} %z = ReduceMax(%b, %axes) {keepdims = 1} })",
                R"(graph @g(%x: f32[2,3,4,5]) -> (%y, %z) {
      const %p: i64[2] = dense<[2, 3]>
      %a = ReduceMean(%x, %p) {keepdims = 0} %y = Transpose(%a) {perm = [0, 1]}
      const %q: i64[2] = dense<[0, 2]>
      %b = ReduceMax(%x, %q) {keepdims = 1} %z = Transpose(%b) {perm = [3, 2, 0, 1]} })");
}

TEST(SinkTransposes, StaysWhenItWouldNotHelp) {
  ExpectUnchanged("SinkTransposes", R"(graph @g(%x: f32[2,3], %z: f32[3,2]) -> (%y, %a, %w) {
      %a = Transpose(%x) {perm = [1, 0]} %b = Relu(%a) %y = Add(%b, %z)
      %t = Transpose(%x) {perm = [1, 0]} %w = Softmax(%t) {axis = -1} })");
}

TEST(CanonicalizeGemm, BecomesMatMulAndBias) {
  ExpectRewrite("CanonicalizeGemm", R"(graph @g(%x: f32[2,3]) -> (%y) {
      const %w: f32[2,3] = dense<[1, 2, 3, 4, 5, 6]>
      const %b: f32[2] = dense<[10, 20]>
      %y = Gemm(%x, %w, %b) {alpha = 0.5, beta = 2.0, transA = 0, transB = 1} })",
                R"(graph @g(%x: f32[2,3]) -> (%y) {
      const %w: f32[2,3] = dense<[0.5, 1, 1.5, 2, 2.5, 3]>
      %m = MatMul(%x, %w) {transA = 0, transB = 1}
      const %b: f32[2] = dense<[20, 40]>
      %y = Add(%m, %b) })");
  ExpectRewrite("CanonicalizeGemm", R"(graph @g(%x: f32[3,2], %w: f32[4,3]) -> (%y) {
      %y = Gemm(%x, %w) {alpha = 2.0, beta = 1.0, transA = 1, transB = 1} })",
                R"(graph @g(%x: f32[3,2], %w: f32[4,3]) -> (%y) {
      %m = MatMul(%x, %w) {transA = 1, transB = 1}
      const %two: f32[] = dense<[2]>
      %y = Mul(%m, %two) })");
}

TEST(InlineConstantIf, TakesTheBranch) {
  ExpectRewrite(
      "InlineConstantIf", R"(graph @g(%x: f32[2]) -> (%y) {
      const %c: bool[] = dense<[1]>
      %y = If(%c, %x) {num_captures = 1,
        then_branch = @t(%p: f32[2]) -> (%q) { const %k: f32[1] = dense<[3]> %q = Mul(%p, %k) },
        else_branch = @e(%p: f32[2]) -> (%p) { }} })",
      R"(graph @g(%x: f32[2]) -> (%y) { const %k: f32[1] = dense<[3]> %y = Mul(%x, %k) })", 0);
  ExpectRewrite("InlineConstantIf", R"(graph @g(%x: f32[2]) -> (%y) {
      const %c: bool[] = dense<[0]>
      %z = If(%c, %x) {num_captures = 1,
        then_branch = @t(%p: f32[2]) -> (%q) { %q = Neg(%p) },
        else_branch = @e(%p: f32[2]) -> (%p) { }} %y = Relu(%z) })",
                "graph @g(%x: f32[2]) -> (%y) { %y = Relu(%x) }", 0);
  ExpectUnchanged("InlineConstantIf", R"(graph @g(%c: bool[], %x: f32[2]) -> (%y) {
      %y = If(%c, %x) {num_captures = 1,
        then_branch = @t(%p: f32[2]) -> (%q) { %q = Neg(%p) },
        else_branch = @e(%p: f32[2]) -> (%p) { }} })");
}

TEST(EliminateDeadCode, DropsWhatNobodyReads) {
  auto graph = ParseAndInfer(R"(graph @g(%c: bool[], %x: f32[1,1,4], %z: f32[1,1,4]) -> (%y) {
      const %unused: f32[1] = dense<[3]>
      %a = Relu(%x) %b = Neg(%a)
      %p, %q = MaxPool(%x) {kernel_shape = [1]}
      %y = If(%c, %z, %p) {num_captures = 2,
        then_branch = @t(%u: f32[1,1,4], %v: f32[1,1,4]) -> (%r) { %r = Neg(%v) %d = Abs(%u) },
        else_branch = @e(%u: f32[1,1,4], %v: f32[1,1,4]) -> (%v) { }} })");
  ASSERT_NE(graph, nullptr);
  PassOptions options;
  for (const PassDef& pass : AllPasses()) options.switches[pass.name] = false;
  options.switches["EliminateDeadCode"] = true;
  auto records = RunPasses(*graph, options);
  ASSERT_TRUE(records.ok()) << records.status().ToString();
  EXPECT_EQ(graph->num_nodes(), 2u);
  EXPECT_EQ(graph->FindNode("p")->outputs().size(), 1u);
  EXPECT_EQ(graph->FindNode("y")->inputs().size(), 2u);
  EXPECT_EQ(graph->FindNode("y")->num_captures(), 1);
  EXPECT_EQ(graph->FindValue("unused"), nullptr);
}

}  // namespace
}  // namespace cairn
