// SPDX-License-Identifier: Apache-2.0
// 16-bit floating point computed in f32, and f32 rounded to 16 bits: regions, borders, what stays.
#include <cmath>

#include "ir/text.h"
#include "passes/pass_test.h"

namespace cairn {
namespace {

constexpr double kHalfTolerance = 2e-3;

TEST(ComputeInFloat32, ARegionHasCastsAtItsBorderOnly) {
  ExpectRewrite("ComputeInFloat32", R"(graph @g(%x: f16[2,3]) -> (%y) {
      const %w: f16[3,4] = dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]>
      %m = MatMul(%x, %w) %s = Softmax(%m) {axis = 1} %y = Add(%s, %m) })",
                R"(graph @g(%x: f16[2,3]) -> (%y) {
      const %w: f32[3,4] = dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]>
      %c = Cast(%x) {to = type f32[*]}
      %m = MatMul(%c, %w) %s = Softmax(%m) {axis = 1} %a = Add(%s, %m)
      %y = Cast(%a) {to = type f16[*]} })",
                kHalfTolerance);
}

TEST(ComputeInFloat32, MovementKeepsHalfWhereItCan) {
  ExpectRewrite("ComputeInFloat32", R"(graph @g(%i: i64[2], %x: bf16[2,2]) -> (%y, %z) {
      const %table: bf16[3,2] = dense<[1, 2, 3, 4, 5, 6]>
      const %j: i64[2] = dense<[0, 2]>
      %e = Gather(%table, %j) {axis = 0}
      %r = Exp(%e) %y = Transpose(%r) {perm = [1, 0]}
      %z = Transpose(%x) {perm = [1, 0]} })",
                R"(graph @g(%i: i64[2], %x: bf16[2,2]) -> (%y, %z) {
      const %table: bf16[3,2] = dense<[1, 2, 3, 4, 5, 6]>
      const %j: i64[2] = dense<[0, 2]>
      %e = Gather(%table, %j) {axis = 0}
      %c = Cast(%e) {to = type f32[*]}
      %r = Exp(%c) %t = Transpose(%r) {perm = [1, 0]}
      %z = Transpose(%x) {perm = [1, 0]}
      %y = Cast(%t) {to = type bf16[*]} })",
                2e-2);
}

TEST(ComputeInFloat32, CastsOfTheModelStillRound) {
  ExpectRewrite("ComputeInFloat32", R"(graph @g(%x: f32[4]) -> (%y) {
      %h = Cast(%x) {to = type f16[*]} %r = Exp(%h) %y = Cast(%r) {to = type f32[*]} })",
                R"(graph @g(%x: f32[4]) -> (%y) {
      %c = RoundToType(%x) {to = type f16[*]}
      %r = Exp(%c) %y = Cast(%r) {to = type f32[*]} })",
                kHalfTolerance);
  ExpectUnchanged("ComputeInFloat32", R"(graph @g(%x: f32[4]) -> (%y) {
      %h = Cast(%x) {to = type f16[*]} %y = Cast(%h) {to = type f32[*]} })");
}

TEST(ComputeInFloat32, OnlyFloat32DropsTheCastsOfTheModelToo) {
  const auto graph = ParseAndInfer(R"(graph @g(%x: f32[4], %k: f16[4]) -> (%y, %k2) {
      const %n: i64[1] = dense<[4]>
      %h = Cast(%x) {to = type f16[*]} %o = ConstantOfShape(%n) {value = tensor f16[1] dense<[2]>}
      %y = Mul(%h, %o) %k2 = Identity(%k) })");
  PassOptions options;
  options.context.only_float32 = true;
  ASSERT_TRUE(RunPasses(*graph, options).ok());
  EXPECT_EQ(graph->outputs()[0]->type().dtype, ElementType::kF16);
  for (const Node* node : graph->Nodes()) {
    for (const Value* input : node->inputs()) {
      EXPECT_EQ(input->type().dtype, ElementType::kF32) << PrintGraph(*graph);
    }
  }
}

TEST(ComputeInFloat32, RegionsKeepTheTypesOfTheirBorders) {
  const auto graph = ParseAndInfer(R"(graph @g(%c: bool[], %x: f16[2]) -> (%y) {
      %e = Exp(%x)
      %y = If(%c, %e) {num_captures = 1,
        then_branch = @t(%a: f16[2]) -> (%b) { %b = Neg(%a) },
        else_branch = @f(%a: f16[2]) -> (%b) { %b = Abs(%a) }} })");
  ASSERT_NE(graph, nullptr);
  const auto original = graph->Clone();
  PassOptions options;
  options.level = PassOptions::OptLevel::kO0;
  options.switches["ComputeInFloat32"] = true;
  const auto records = RunPasses(*graph, options);
  ASSERT_TRUE(records.ok()) << records.status().ToString();
  int changes = 0;
  for (const PassRecord& record : *records) changes += record.changes;
  EXPECT_EQ(changes, 3);
  EXPECT_LE(ResultDifference(*original, *graph), kHalfTolerance);
}

/// The graph after all passes under `policy`, in which LowerPrecision works.
std::unique_ptr<Graph> Lowered(std::string_view text, const PrecisionPolicy& policy) {
  auto graph = ParseAndInfer(text);
  PassOptions options;
  options.level = PassOptions::OptLevel::kO0;
  options.context.precision = policy;
  EXPECT_TRUE(RunPasses(*graph, options).ok());
  return graph;
}

std::string Operators(const Graph& graph) {
  std::string text;
  for (const Node* node : graph.Nodes()) text += (text.empty() ? "" : " ") + node->op();
  return text;
}

constexpr const char* kNet = R"(graph @g(%x: f32[2,2]) -> (%y) {
      const %w: f32[2,2] = dense<[0.1, 70000, -1, 2]>
      %m = MatMul(%x, %w) %e = Exp(%m) %r = Relu(%e) %a = Add(%r, %x) %y = Softmax(%a) {axis = 1} })";

TEST(LowerPrecision, EveryOperatorIsRounded) {
  PrecisionPolicy policy;
  policy.mode = PrecisionPolicy::Mode::kAll;
  const auto graph = Lowered(kNet, policy);
  EXPECT_EQ(Operators(*graph),
            "RoundToType MatMul RoundToType Exp RoundToType Relu Add RoundToType Softmax "
            "RoundToType");
  const Tensor& weights = graph->FindNode("m")->input(1)->constant();
  EXPECT_EQ(weights.GetDouble(0), 0.0999755859375);
  EXPECT_EQ(weights.GetDouble(1), 65504.0);
  policy.clip_constants = false;
  EXPECT_EQ(Lowered(kNet, policy)->FindNode("m")->input(1)->constant().GetDouble(1), HUGE_VAL);
}

TEST(LowerPrecision, OnlyMatrixProducts) {
  PrecisionPolicy policy;
  policy.mode = PrecisionPolicy::Mode::kMatrix;
  EXPECT_EQ(Operators(*Lowered(kNet, policy)),
            "RoundToType MatMul RoundToType Exp Relu Add Softmax");
}

TEST(LowerPrecision, MixedListsDecide) {
  PrecisionPolicy policy;
  policy.mode = PrecisionPolicy::Mode::kMixed;
  policy.white = DefaultWhiteList();
  policy.black = DefaultBlackList();
  EXPECT_EQ(Operators(*Lowered(kNet, policy)),
            "RoundToType MatMul RoundToType Exp Relu Add Softmax");
  policy.black.erase("Exp");
  EXPECT_EQ(Operators(*Lowered(kNet, policy)),
            "RoundToType MatMul RoundToType Exp RoundToType Relu Add RoundToType Softmax");
}

TEST(LowerPrecision, KeptAndCustomisedOperators) {
  PrecisionPolicy policy;
  policy.mode = PrecisionPolicy::Mode::kAll;
  policy.kept_ops = {"Softmax"};
  policy.kept_nodes = {"e"};
  policy.node_types["a"].outputs = {ElementType::kBf16};
  const auto graph = Lowered(kNet, policy);
  EXPECT_EQ(Operators(*graph),
            "RoundToType MatMul RoundToType Exp RoundToType Relu Add RoundToType Softmax");
  EXPECT_EQ(graph->FindNode("y")->input(0)->producer()->Get<TensorType>("to")->dtype,
            ElementType::kBf16);
}

TEST(LowerPrecision, NamesOfTheOriginal) {
  EXPECT_EQ(OperatorNamed("Conv2D"), "Conv");
  EXPECT_EQ(OperatorNamed("BatchMatMulV2"), "MatMul");
  EXPECT_EQ(OperatorNamed("SoftmaxV2"), "Softmax");
  EXPECT_EQ(OperatorNamed("ReduceL2"), "ReduceL2");
  EXPECT_EQ(OperatorNamed("Elsewhere"), "Elsewhere");
}

}  // namespace
}  // namespace cairn
