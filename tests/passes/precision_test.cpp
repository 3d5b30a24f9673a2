// SPDX-License-Identifier: Apache-2.0
// 16-bit floating point computed in f32: regions, borders, what stays.
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
      %h = Cast(%x) {to = type f16[*]} %c = Cast(%h) {to = type f32[*]}
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

}  // namespace
}  // namespace cairn
