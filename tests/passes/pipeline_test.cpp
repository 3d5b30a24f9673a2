// SPDX-License-Identifier: Apache-2.0
// The driver: levels, switches, records, dumps, regions, and its cost on large graphs.
#include <chrono>
#include <set>

#include "ir/text.h"
#include "ir/verifier.h"
#include "passes/pass_test.h"

namespace cairn {
namespace {

constexpr const char* kResidualBlock = R"(graph @g(%x: f32[1,4,6,6]) -> (%y) {
      const %w1: f32[4,4,3,3] = random<1>
      const %w2: f32[4,4,3,3] = random<2>
      const %s: f32[4] = dense<[1, 2, 0.5, 1]>
      const %t: f32[4] = dense<[0, 1, -1, 2]>
      const %m: f32[4] = dense<[0.1, 0.2, 0.3, 0.4]>
      const %v: f32[4] = dense<[1, 2, 3, 4]>
      %c1 = Conv(%x, %w1) {pads = [1, 1, 1, 1]} origins ["conv1"]
      %b1 = BatchNormalization(%c1, %s, %t, %m, %v) origins ["bn1"]
      %r1 = Relu(%b1) origins ["relu1"]
      %i = Identity(%r1) origins ["identity"]
      %c2 = Conv(%i, %w2) {pads = [1, 1, 1, 1]} origins ["conv2"]
      %b2 = BatchNormalization(%c2, %s, %t, %m, %v) origins ["bn2"]
      %a = Add(%b2, %x) origins ["add"]
      %y = Relu(%a) origins ["relu2"] })";

TEST(Pipeline, ResidualBlockBecomesTwoConvolutions) {
  const auto original = ParseAndInfer(kResidualBlock);
  const auto graph = original->Clone();
  auto records = RunPasses(*graph, PassOptions());
  ASSERT_TRUE(records.ok()) << records.status().ToString();
  ASSERT_EQ(graph->num_nodes(), 2u) << PrintGraph(*graph);
  const std::vector<Node*> nodes = graph->Nodes();
  EXPECT_EQ(nodes[0]->origins(), (std::vector<std::string>{"conv1", "bn1", "relu1"}));
  EXPECT_EQ(nodes[1]->origins(), (std::vector<std::string>{"conv2", "bn2", "add", "relu2"}));
  EXPECT_EQ(nodes[1]->output()->name(), "y");
  EXPECT_LE(ResultDifference(*original, *graph), 1e-5);
  for (const PassRecord& record : *records) {
    EXPECT_TRUE(record.enabled) << record.name;
    if (record.name == "FuseConvBatchNorm") {
      EXPECT_EQ(record.changes, 2);
    }
    if (record.name == "FuseEpilogues") {
      EXPECT_EQ(record.changes, 2);
    }
    if (record.name == "RemoveNoOps") {
      EXPECT_EQ(record.changes, 1);
    }
  }
}

TEST(Pipeline, LevelsAndSwitchesDecide) {
  const auto original = ParseAndInfer(kResidualBlock);
  PassOptions options;
  options.level = PassOptions::OptLevel::kO0;
  auto graph = original->Clone();
  ASSERT_TRUE(RunPasses(*graph, options).ok());
  EXPECT_EQ(Normalized(*graph), Normalized(*original));
  options.level = PassOptions::OptLevel::kO1;
  graph = original->Clone();
  ASSERT_TRUE(RunPasses(*graph, options).ok());
  EXPECT_EQ(graph->num_nodes(), original->num_nodes() - 1);  // The Identity.
  options.level = PassOptions::OptLevel::kO0;
  options.switches = {{"FuseConvBatchNorm", true}, {"InferShapes", false}};
  graph = original->Clone();
  auto records = RunPasses(*graph, options);
  ASSERT_TRUE(records.ok());
  EXPECT_EQ(graph->num_nodes(), original->num_nodes() - 2);
  std::set<std::string> on = {"FuseConvBatchNorm"};
  for (const PassDef& pass : AllPasses()) {
    if (pass.level == PassLevel::kRequired) on.insert(pass.name);
  }
  for (const PassRecord& record : *records) {
    EXPECT_EQ(record.enabled, on.contains(record.name)) << record.name;
  }
}

TEST(Pipeline, FoldingAndDeadCodeHaveTheirOwnSwitches) {
  const auto original = ParseAndInfer(R"(graph @g(%x: f32[2]) -> (%y) {
      const %a: f32[2] = dense<[1, 2]>
      %n = Neg(%a) %y = Add(%x, %n) %dead = Relu(%x) })");
  PassOptions options;
  options.fold_constants = options.eliminate_dead_code = false;
  const auto graph = original->Clone();
  ASSERT_TRUE(RunPasses(*graph, options).ok());
  EXPECT_NE(graph->FindNode("dead"), nullptr);
}

TEST(Pipeline, DumpsAfterEachPassThatChanged) {
  const auto graph = ParseAndInfer(kResidualBlock);
  std::set<std::string> stages;
  PassOptions options;
  options.dump = [&](const Graph& dumped, std::string_view stage) {
    EXPECT_TRUE(VerifyGraph(dumped).ok());
    stages.emplace(stage);
  };
  ASSERT_TRUE(RunPasses(*graph, options).ok());
  // The two norms make equal biases, which become one.
  EXPECT_EQ(stages,
            (std::set<std::string>{"EliminateCommonSubexpressions", "RemoveNoOps",
                                   "FuseConvBatchNorm", "FuseEpilogues", "EliminateDeadCode"}));
}

TEST(Pipeline, RegionsAreOptimisedToo) {
  const auto original = ParseAndInfer(R"(graph @g(%c: bool[], %x: f32[2]) -> (%y) {
      %y = If(%c, %x) {num_captures = 1,
        then_branch = @t(%p: f32[2]) -> (%q) { %i = Identity(%p) %q = Neg(%i) },
        else_branch = @e(%p: f32[2]) -> (%q) { %s = Sigmoid(%p) %q = Mul(%p, %s) }} })");
  const auto graph = original->Clone();
  ASSERT_TRUE(RunPasses(*graph, PassOptions()).ok());
  const std::vector<Graph*> regions = graph->FindNode("y")->Regions();
  EXPECT_EQ(regions[0]->Nodes()[0]->op(), "Swish");
  EXPECT_EQ(regions[1]->num_nodes(), 1u);
  EXPECT_LE(ResultDifference(*original, *graph), 1e-6);
}

TEST(Pipeline, BertLayerBecomesAFewNodes) {
  const auto original = ParseAndInfer(R"(graph @g(%x: f32[1,5,8], %mask: f32[1,1,1,5]) -> (%y) {
      const %wq: f32[8,8] = random<1> const %wk: f32[8,8] = random<2> const %wv: f32[8,8] = random<3>
      const %wo: f32[8,8] = random<4> const %w1: f32[8,16] = random<5> const %w2: f32[16,8] = random<6>
      const %b: f32[8] = random<7> const %b1: f32[16] = random<8> const %gamma: f32[8] = random<9>
      const %heads: i64[4] = dense<[0, 0, 2, 4]> const %join: i64[3] = dense<[0, 0, 8]>
      const %two: f32[] = dense<2> const %axes: i64[1] = dense<[-1]> const %eps: f32[] = dense<1e-12>
      const %root2: f32[] = dense<1.4142135> const %one: f32[] = dense<1> const %half: f32[] = dense<0.5>
      %q0 = MatMul(%x, %wq) %q1 = Add(%b, %q0) %q2 = Reshape(%q1, %heads) %q = Transpose(%q2) {perm = [0, 2, 1, 3]}
      %k0 = MatMul(%x, %wk) %k1 = Add(%b, %k0) %k2 = Reshape(%k1, %heads) %k = Transpose(%k2) {perm = [0, 2, 3, 1]}
      %v0 = MatMul(%x, %wv) %v1 = Add(%b, %v0) %v2 = Reshape(%v1, %heads) %v = Transpose(%v2) {perm = [0, 2, 1, 3]}
      %s0 = MatMul(%q, %k) %s1 = Div(%s0, %two) %s2 = Add(%s1, %mask) %p = Softmax(%s2) {axis = -1}
      %o0 = MatMul(%p, %v) %o1 = Transpose(%o0) {perm = [0, 2, 1, 3]} %o2 = Reshape(%o1, %join)
      %o3 = MatMul(%o2, %wo) %o4 = Add(%b, %o3) %o5 = Add(%o4, %x)
      %m = ReduceMean(%o5, %axes) %d = Sub(%o5, %m) %sq = Pow(%d, %two) %var = ReduceMean(%sq, %axes)
      %e = Add(%var, %eps) %sd = Sqrt(%e) %n = Div(%d, %sd) %ln0 = Mul(%n, %gamma) %ln = Add(%ln0, %b)
      %f0 = MatMul(%ln, %w1) %f1 = Add(%b1, %f0) %g0 = Div(%f1, %root2) %g1 = Erf(%g0) %g2 = Add(%g1, %one)
      %g3 = Mul(%f1, %g2) %g4 = Mul(%g3, %half) %h0 = MatMul(%g4, %w2) %h1 = Add(%b, %h0) %y = Add(%h1, %ln) })");
  const auto graph = original->Clone();
  ASSERT_TRUE(RunPasses(*graph, PassOptions()).ok());
  std::map<std::string, int> ops;
  for (const Node* node : graph->Nodes()) ++ops[node->op()];
  EXPECT_EQ(
      ops, (std::map<std::string, int>{{"Attention", 1}, {"LayerNormalization", 1}, {"MatMul", 6}}))
      << PrintGraph(*graph);
  EXPECT_LE(ResultDifference(*original, *graph), 1e-5);
}

/// A chain of convolutions, norms, activations, shape arithmetic and transposes.
std::string LongChain(int num_blocks) {
  std::string text = R"(graph @g(%v0: f32[1,4,6,6]) -> (%v)" + std::to_string(num_blocks) + R"() {
      const %w: f32[4,4,1,1] = random<1>
      const %s: f32[4] = dense<[1, 2, 0.5, 1]>
      const %six: f32[] = dense<6>
      const %three: f32[] = dense<3>
      const %zero: f32[] = dense<0>
)";
  for (int i = 0; i < num_blocks; ++i) {
    const std::string n = std::to_string(i), next = std::to_string(i + 1);
    text += "%a" + n + " = Conv(%v" + n + ", %w) %b" + n + " = BatchNormalization(%a" + n +
            ", %s, %s, %s, %s) %c" + n + " = Add(%b" + n + ", %three) %d" + n + " = Clip(%c" + n +
            ", %zero, %six) %e" + n + " = Mul(%b" + n + ", %d" + n + ") %f" + n + " = Div(%e" + n +
            ", %six) %g" + n + " = Transpose(%f" + n + ") {perm = [0, 2, 3, 1]} %h" + n +
            " = Relu(%g" + n + ") %i" + n + " = Transpose(%h" + n + ") {perm = [0, 3, 1, 2]} %v" +
            next + " = Add(%i" + n + ", %v" + n + ")\n";
  }
  return text + "}";
}

TEST(Pipeline, TwentyThousandNodesTakeSeconds) {
  const auto graph = ParseAndInfer(LongChain(2000));
  ASSERT_NE(graph, nullptr);
  ASSERT_EQ(graph->num_nodes(), 20000u);
  const auto begin = std::chrono::steady_clock::now();
  auto records = RunPasses(*graph, PassOptions());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  ASSERT_TRUE(records.ok()) << records.status().ToString();
  EXPECT_EQ(graph->num_nodes(), 2000u);
  // Some seconds on an idle machine; sanitizers and neighbours slow it down.
  EXPECT_LT(seconds.count(), 60);
  for (const PassRecord& record : *records) {
    std::printf("%-32s %6d changes %8.1f ms\n", record.name.c_str(), record.changes,
                record.milliseconds);
  }
}

}  // namespace
}  // namespace cairn
