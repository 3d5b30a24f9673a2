// SPDX-License-Identifier: Apache-2.0
// Fusions into convolutions, matrix products, norms and attention: before, after, near misses.
#include "passes/pass_test.h"

namespace cairn {
namespace {

constexpr const char* kConvBatchNorm = R"(graph @g(%x: f32[1,3,5,5]) -> (%y) {
      const %w: f32[2,3,1,1] = random<1>
      const %b: f32[2] = dense<[0.5, -1]>
      const %scale: f32[2] = dense<[2, 0.5]>
      const %shift: f32[2] = dense<[1, -2]>
      const %mean: f32[2] = dense<[0.25, 0.75]>
      const %var: f32[2] = dense<[3.99999, 0.24999]>
      %c = Conv(%x, %w, %b)
      %y = BatchNormalization(%c, %scale, %shift, %mean, %var) {epsilon = 1e-05} })";

TEST(FuseConvBatchNorm, ScalesWeightsAndBias) {
  const auto original = ParseAndInfer(kConvBatchNorm);
  const auto graph = original->Clone();
  EXPECT_EQ(RunPassTo(*graph, "FuseConvBatchNorm"), 1);
  ASSERT_EQ(graph->num_nodes(), 1u);
  const Node* conv = graph->Nodes()[0];
  EXPECT_EQ(conv->op(), "Conv");
  EXPECT_EQ(conv->output()->name(), "y");
  // s = scale / sqrt(var + eps): 1 and 1; b' = (b - mean) * s + shift.
  EXPECT_NEAR(conv->input(2)->constant().GetDouble(0), 1.25, 1e-5);
  EXPECT_NEAR(conv->input(2)->constant().GetDouble(1), -3.75, 1e-5);
  EXPECT_LE(ResultDifference(*original, *graph), 1e-6);
}

TEST(FuseConvBatchNorm, GroupsOfTransposedConvolutionsKeepTheirChannels) {
  const auto original = ParseAndInfer(R"(graph @g(%x: f32[1,4,3,3]) -> (%y) {
      const %w: f32[4,3,2,2] = random<1>
      const %s: f32[6] = random<2>
      const %t: f32[6] = random<3>
      const %m: f32[6] = random<4>
      const %v: f32[6] = dense<[1, 2, 3, 4, 5, 6]>
      %c = ConvTranspose(%x, %w) {group = 2, strides = [2, 2]}
      %y = BatchNormalization(%c, %s, %t, %m, %v) })");
  const auto graph = original->Clone();
  EXPECT_EQ(RunPassTo(*graph, "FuseConvBatchNorm"), 1);
  EXPECT_EQ(graph->num_nodes(), 1u);
  EXPECT_LE(ResultDifference(*original, *graph), 1e-6);
}

TEST(FuseConvBatchNorm, MatMulTakesItBehindItsBias) {
  const auto original = ParseAndInfer(R"(graph @g(%x: f32[5,3]) -> (%y) {
      const %w: f32[4,3] = random<1>
      const %b: f32[4] = random<2>
      const %s: f32[4] = random<3>
      const %t: f32[4] = random<4>
      const %m: f32[4] = random<5>
      const %v: f32[4] = dense<[1, 2, 3, 4]>
      %c = MatMul(%x, %w) {transB = 1} %d = Add(%c, %b)
      %y = BatchNormalization(%d, %s, %t, %m, %v) })");
  const auto graph = original->Clone();
  EXPECT_EQ(RunPassTo(*graph, "FuseConvBatchNorm"), 1);
  EXPECT_EQ(graph->num_nodes(), 2u);
  EXPECT_LE(ResultDifference(*original, *graph), 1e-6);
}

TEST(FuseConvBatchNorm, NearMisses) {
  // Behind an activation.
  ExpectUnchanged("FuseConvBatchNorm", R"(graph @g(%x: f32[1,3,5,5]) -> (%y) {
      const %w: f32[2,3,1,1] = random<1>
      const %p: f32[2] = dense<1>
      %c = Conv(%x, %w) %r = Relu(%c) %y = BatchNormalization(%r, %p, %p, %p, %p) })");
  // The convolution's result is used twice.
  ExpectUnchanged("FuseConvBatchNorm", R"(graph @g(%x: f32[1,3,5,5]) -> (%y, %z) {
      const %w: f32[2,3,1,1] = random<1>
      const %p: f32[2] = dense<1>
      %c = Conv(%x, %w) %y = BatchNormalization(%c, %p, %p, %p, %p) %z = Relu(%c) })");
  ExpectUnchanged("FuseConvBatchNorm", R"(graph @g(%x: f32[1,3,5,5]) -> (%y, %c) {
      const %w: f32[2,3,1,1] = random<1>
      const %p: f32[2] = dense<1>
      %c = Conv(%x, %w) %y = BatchNormalization(%c, %p, %p, %p, %p) })");
  // A variance that makes the scale infinite, a parameter computed at run time.
  ExpectUnchanged("FuseConvBatchNorm", R"(graph @g(%x: f32[1,3,5,5]) -> (%y) {
      const %w: f32[2,3,1,1] = random<1>
      const %p: f32[2] = dense<1>
      const %v: f32[2] = dense<[1, 0]>
      %c = Conv(%x, %w) %y = BatchNormalization(%c, %p, %p, %p, %v) {epsilon = 0.0} })");
  ExpectUnchanged("FuseConvBatchNorm", R"(graph @g(%x: f32[1,3,5,5], %s: f32[2]) -> (%y) {
      const %w: f32[2,3,1,1] = random<1>
      const %p: f32[2] = dense<1>
      %c = Conv(%x, %w) %y = BatchNormalization(%c, %s, %p, %p, %p) })");
}

TEST(FuseConvBatchNorm, LeavesDeadCodeAlone) {
  ExpectUnchanged("FuseConvBatchNorm", R"(graph @g(%x: f32[1,3,5,5]) -> (%x) {
      const %w: f32[2,3,1,1] = random<1>
      const %p: f32[2] = dense<1>
      %c = Conv(%x, %w) %y = BatchNormalization(%c, %p, %p, %p, %p) })");
}

TEST(FuseConvScale, TakesChannelConstants) {
  ExpectRewrite("FuseConvScale", R"(graph @g(%x: f32[1,1,2,2]) -> (%y) {
      const %w: f32[2,1,1,1] = dense<[3, 5]>
      const %k: f32[2,1,1] = dense<[2, 4]>
      const %h: f32[] = dense<2>
      const %one: f32[1] = dense<[1]>
      %a = Conv(%x, %w) %b = Mul(%a, %k) %c = Div(%b, %h) %y = Sub(%one, %c) })",
                R"(graph @g(%x: f32[1,1,2,2]) -> (%y) {
      const %w: f32[2,1,1,1] = dense<[-3, -10]>
      const %b: f32[2] = dense<[1, 1]>
      %y = Conv(%x, %w, %b) })");
}

TEST(FuseConvScale, NearMisses) {
  // x * Inf, a factor per row, the constant divided by the result, growth by broadcasting.
  ExpectUnchanged("FuseConvScale", R"(graph @g(%x: f32[1,1,2,2]) -> (%a, %b, %c, %d) {
      const %w: f32[2,1,1,1] = dense<[3, 5]>
      const %inf: f32[] = dense<inf>
      const %rows: f32[2,1] = dense<[2, 3]>
      const %two: f32[] = dense<2>
      const %big: f32[3,1,1,1] = dense<2>
      %p = Conv(%x, %w) %a = Mul(%p, %inf)
      %q = Conv(%x, %w) %b = Mul(%q, %rows)
      %r = Conv(%x, %w) %c = Div(%two, %r)
      %s = Conv(%x, %w) %d = Mul(%s, %big) })");
}

TEST(FuseConvBias, AddsUp) {
  ExpectRewrite("FuseConvBias", R"(graph @g(%x: f32[1,1,2,2]) -> (%y) {
      const %w: f32[2,1,1,1] = dense<[3, 5]>
      const %b: f32[2] = dense<[1, 2]>
      const %k: f32[1,2,1,1] = dense<[2, 4]>
      const %h: f32[] = dense<[0.5]>
      %a = Conv(%x, %w, %b) %c = Add(%k, %a) %y = Sub(%c, %h) })",
                R"(graph @g(%x: f32[1,1,2,2]) -> (%y) {
      const %w: f32[2,1,1,1] = dense<[3, 5]>
      const %b: f32[2] = dense<[2.5, 5.5]>
      %y = Conv(%x, %w, %b) })");
}

TEST(FuseScaleIntoConv, WeightsAndBiasTakeTheMap) {
  ExpectRewrite("FuseScaleIntoConv", R"(graph @g(%x: f32[1,4,3,3]) -> (%y) {
      const %w: f32[2,2,1,1] = dense<[1, 2, 3, 4]>
      const %s: f32[4,1,1] = dense<[10, 20, 30, 40]>
      const %t: f32[] = dense<0.5>
      %h = HardSwish(%x) %a = Mul(%h, %s) %b = Add(%t, %a) %y = Conv(%b, %w) {group = 2} })",
                R"(graph @g(%x: f32[1,4,3,3]) -> (%y) {
      %h = HardSwish(%x)
      const %w: f32[2,2,1,1] = dense<[10, 40, 90, 160]>
      const %b: f32[2] = dense<[1.5, 3.5]>
      %y = Conv(%h, %w, %b) {group = 2} })");
  ExpectRewrite("FuseScaleIntoConv", R"(graph @g(%x: f32[1,1,3,3]) -> (%y) {
      const %w: f32[1,1,3,3] = random<1>
      const %s: f32[] = dense<2>
      %a = Mul(%x, %s) %b = Div(%a, %s) %y = Conv(%b, %w) {pads = [1, 1, 1, 1]} })",
                R"(graph @g(%x: f32[1,1,3,3]) -> (%y) {
      const %w: f32[1,1,3,3] = random<1>
      %y = Conv(%x, %w) {pads = [1, 1, 1, 1]} })");
}

TEST(FuseScaleIntoConv, NearMisses) {
  // A shift would reach the padding; two readers; a scale along the rows; x * Inf.
  ExpectUnchanged("FuseScaleIntoConv", R"(graph @g(%x: f32[1,1,3,3]) -> (%a, %b, %c, %d, %q) {
      const %w: f32[1,1,3,3] = random<1>
      const %t: f32[] = dense<2>
      const %rows: f32[3,1] = random<2>
      const %inf: f32[] = dense<inf>
      %p = Add(%x, %t) %a = Conv(%p, %w) {pads = [1, 1, 1, 1]}
      %q = Mul(%x, %t) %b = Conv(%q, %w)
      %r = Mul(%x, %rows) %c = Conv(%r, %w)
      %s = Mul(%x, %inf) %d = Conv(%s, %w) })");
}

TEST(FusePad, ConvolutionsAndPools) {
  ExpectRewrite("FusePad", R"(graph @g(%x: f32[1,1,4,4]) -> (%y) {
      const %p: i64[8] = dense<[0, 0, 1, 0, 0, 0, 2, 1]>
      const %w: f32[1,1,3,3] = random<1>
      %a = Pad(%x, %p) {mode = "constant"} %y = Conv(%a, %w) {pads = [0, 1, 0, 1]} })",
                R"(graph @g(%x: f32[1,1,4,4]) -> (%y) {
      const %w: f32[1,1,3,3] = random<1>
      %y = Conv(%x, %w) {auto_pad = "NOTSET", pads = [1, 1, 2, 2]} })");
  ExpectRewrite("FusePad", R"(graph @g(%x: f32[1,1,4,4]) -> (%y) {
      const %p: i64[4] = dense<[1, 1, 1, 1]>
      const %zero: f32[] = dense<0>
      const %axes: i64[2] = dense<[-2, -1]>
      %a = Pad(%x, %p, %zero, %axes) {mode = "constant"} %y = AveragePool(%a) {kernel_shape = [3, 3]} })",
                R"(graph @g(%x: f32[1,1,4,4]) -> (%y) {
      %y = AveragePool(%x) {kernel_shape = [3, 3], pads = [1, 1, 1, 1], count_include_pad = 1, auto_pad = "NOTSET"} })");
}

TEST(FusePad, NearMisses) {
  ExpectUnchanged("FusePad", R"(graph @g(%x: f32[1,1,4,4]) -> (%a, %b, %c, %d, %e, %f) {
      const %p: i64[8] = dense<[0, 0, 1, 1, 0, 0, 1, 1]>
      const %channel: i64[8] = dense<[0, 1, 0, 0, 0, 0, 0, 0]>
      const %crop: i64[8] = dense<[0, 0, -1, 1, 0, 0, 1, 1]>
      const %one: f32[] = dense<1>
      const %w: f32[1,1,3,3] = random<1>
      const %w2: f32[1,2,3,3] = random<1>
      %p1 = Pad(%x, %p, %one) {mode = "constant"} %a = Conv(%p1, %w)
      %p2 = Pad(%x, %p) {mode = "reflect"} %b = Conv(%p2, %w)
      %p3 = Pad(%x, %channel) {mode = "constant"} %c = Conv(%p3, %w2)
      %p4 = Pad(%x, %crop) {mode = "constant"} %d = Conv(%p4, %w)
      %p5 = Pad(%x, %p) {mode = "constant"} %e = MaxPool(%p5) {kernel_shape = [3, 3]}
      %p6 = Pad(%x, %p) {mode = "constant"}
      %f = AveragePool(%p6) {kernel_shape = [3, 3], pads = [1, 1, 1, 1]} })");
}

TEST(DecomposeBatchNorm, BecomesMulAndAdd) {
  ExpectRewrite("DecomposeBatchNorm", R"(graph @g(%x: f32[2,2,3]) -> (%y) {
      const %s: f32[2] = dense<[2, 3]>
      const %t: f32[2] = dense<[1, -1]>
      const %m: f32[2] = dense<[0.5, 1]>
      const %v: f32[2] = dense<[4, 1]>
      %y = BatchNormalization(%x, %s, %t, %m, %v) {epsilon = 0.0} })",
                R"(graph @g(%x: f32[2,2,3]) -> (%y) {
      const %s: f32[2,1] = dense<[1, 3]>
      %a = Mul(%x, %s)
      const %t: f32[2,1] = dense<[0.5, -4]>
      %y = Add(%a, %t) })");
}

TEST(FuseMatMulTranspose, ReadsTransposedMatrices) {
  ExpectRewrite("FuseMatMulTranspose", R"(graph @g(%a: f32[2,3,4], %b: f32[2,5,3]) -> (%y) {
      %p = Transpose(%a) {perm = [0, 2, 1]} %q = Transpose(%b) {perm = [0, 2, 1]}
      %y = MatMul(%p, %q) })",
                R"(graph @g(%a: f32[2,3,4], %b: f32[2,5,3]) -> (%y) {
      %y = MatMul(%a, %b) {transA = 1, transB = 1} })");
  // The head split of attention: [B,S,H,D] -> [B,H,D,S].
  ExpectRewrite("FuseMatMulTranspose", R"(graph @g(%a: f32[2,3,4,5], %b: f32[2,4,3,5]) -> (%y) {
      %q = Transpose(%b) {perm = [0, 2, 3, 1]} %y = MatMul(%a, %q) })",
                R"(graph @g(%a: f32[2,3,4,5], %b: f32[2,4,3,5]) -> (%y) {
      %q = Transpose(%b) {perm = [0, 2, 1, 3]} %y = MatMul(%a, %q) {transA = 0, transB = 1} })");
  ExpectUnchanged("FuseMatMulTranspose", R"(graph @g(%a: f32[2,3,4,5], %b: f32[2,5,3,4]) -> (%y) {
      %q = Transpose(%b) {perm = [0, 2, 1, 3]} %y = MatMul(%a, %q) })");
}

// The ways exporters write the last steps of a layer norm, behind %d = x - mean, %e = var + eps.
constexpr const char* kLayerNormHead = R"(graph @g(%x: f32[2,3,8]) -> (%y) {
      const %axes: i64[1] = dense<[-1]>
      const %two: f32[] = dense<2>
      const %half: f32[] = dense<0.5>
      const %minus_half: f32[] = dense<-0.5>
      const %one: f32[1] = dense<[1]>
      const %eps: f32[] = dense<1e-5>
      const %gamma: f32[8] = random<1>
      const %beta: f32[8] = random<2>
      const %gamma3: f32[1,1,8] = random<1>
      %m = ReduceMean(%x, %axes) {keepdims = 1}
      %d = Sub(%x, %m)
)";

TEST(FuseLayerNorm, EverySpelling) {
  for (const char* tail :
       {"%s = Pow(%d, %two) %v = ReduceMean(%s, %axes) %e = Add(%v, %eps) %r = Sqrt(%e)"
        "%n = Div(%d, %r) %g = Mul(%n, %gamma) %y = Add(%g, %beta) }",
        "%s = Mul(%d, %d) %v = ReduceMean(%s, %axes) %e = Add(%eps, %v) %r = Sqrt(%e)"
        "%i = Reciprocal(%r) %n = Mul(%i, %d) %g = Mul(%gamma3, %n) %y = Add(%beta, %g) }",
        "%s = Mul(%d, %d) %v = ReduceMean(%s, %axes) %e = Add(%eps, %v) %r = Sqrt(%e)"
        "%i = Div(%one, %r) %n = Mul(%d, %i) %g = Mul(%gamma, %n) %y = Add(%beta, %g) }",
        "%s = Mul(%d, %d) %v = ReduceMean(%s, %axes) %e = Add(%eps, %v) %i = Pow(%e, %minus_half)"
        "%n = Mul(%d, %i) %g = Mul(%gamma, %n) %y = Add(%beta, %g) }",
        "%s = Mul(%d, %d) %v = ReduceMean(%s, %axes) %e = Add(%eps, %v) %r = Pow(%e, %half)"
        "%n = Div(%d, %r) %g = Mul(%gamma, %n) %y = Add(%beta, %g) }",
        "%s = Mul(%d, %d) %v = ReduceMean(%s, %axes) %e = Add(%eps, %v) %r = Sqrt(%e)"
        "%i = Reciprocal(%r) %gain = Mul(%i, %gamma) %xs = Mul(%x, %gain) %ms = Mul(%m, %gain)"
        "%b = Sub(%beta, %ms) %y = Add(%xs, %b) }"}) {
    ExpectRewrite("FuseLayerNorm", std::string(kLayerNormHead) + tail,
                  R"(graph @g(%x: f32[2,3,8]) -> (%y) {
        const %gamma: f32[8] = random<1>
        const %beta: f32[8] = random<2>
        %y = LayerNormalization(%x, %gamma, %beta) {axis = -1, epsilon = 1e-05} })");
  }
}

TEST(FuseLayerNorm, WithoutScaleAndOverTwoAxes) {
  ExpectRewrite("FuseLayerNorm", R"(graph @g(%x: f32[2,3,4]) -> (%y) {
      const %axes: i64[2] = dense<[2, 1]>
      const %eps: f32[] = dense<0.5>
      %m = ReduceMean(%x, %axes) %d = Sub(%x, %m) %s = Mul(%d, %d) %v = ReduceMean(%s, %axes)
      %e = Add(%v, %eps) %r = Sqrt(%e) %y = Div(%d, %r) })",
                R"(graph @g(%x: f32[2,3,4]) -> (%y) {
      const %ones: f32[3,4] = dense<1>
      %y = LayerNormalization(%x, %ones) {axis = -2, epsilon = 0.5} })");
}

TEST(FuseLayerNorm, NearMisses) {
  for (const char* tail :
       {// The deviation is also read elsewhere.
        "%s = Mul(%d, %d) %v = ReduceMean(%s, %axes) %e = Add(%v, %eps) %r = Sqrt(%e)"
        "%n = Div(%d, %r) %y = Sub(%n, %v) }",
        // The third power; another tensor is normalised; the mean of another axis.
        "%s = Mul(%d, %m) %v = ReduceMean(%s, %axes) %e = Add(%v, %eps) %r = Sqrt(%e)"
        "%y = Div(%d, %r) }",
        "%s = Mul(%d, %d) %v = ReduceMean(%s, %axes) %e = Add(%v, %eps) %r = Sqrt(%e)"
        "%y = Div(%x, %r) }",
        "%s = Mul(%d, %d) const %other: i64[1] = dense<[1]> %v = ReduceMean(%s, %other)"
        "%e = Add(%v, %eps) %r = Sqrt(%e) %y = Div(%d, %r) }"}) {
    ExpectUnchanged("FuseLayerNorm", std::string(kLayerNormHead) + tail);
  }
  // Not the last axes.
  ExpectUnchanged("FuseLayerNorm", R"(graph @g(%x: f32[2,3,4]) -> (%y) {
      const %axes: i64[1] = dense<[1]>
      const %eps: f32[] = dense<0.5>
      %m = ReduceMean(%x, %axes) %d = Sub(%x, %m) %s = Mul(%d, %d) %v = ReduceMean(%s, %axes)
      %e = Add(%v, %eps) %r = Sqrt(%e) %y = Div(%d, %r) })");
}

TEST(FuseRMSNorm, WithAndWithoutScale) {
  ExpectRewrite("FuseRMSNorm", R"(graph @g(%x: f32[2,3,8]) -> (%y) {
      const %axes: i64[1] = dense<[-1]>
      const %two: f32[] = dense<2>
      const %one: f32[] = dense<1>
      const %eps: f32[] = dense<1e-6>
      const %gamma: f32[8] = random<1>
      %s = Pow(%x, %two) %v = ReduceMean(%s, %axes) %e = Add(%v, %eps) %r = Sqrt(%e)
      %i = Div(%one, %r) %n = Mul(%x, %i) %y = Mul(%gamma, %n) })",
                R"(graph @g(%x: f32[2,3,8]) -> (%y) {
      const %gamma: f32[8] = random<1>
      %y = RMSNormalization(%x, %gamma) {axis = -1, epsilon = 1e-06} })");
  ExpectUnchanged("FuseRMSNorm", R"(graph @g(%x: f32[2,3,8], %z: f32[2,3,8]) -> (%y) {
      const %axes: i64[1] = dense<[-1]>
      const %eps: f32[] = dense<1e-6>
      %s = Mul(%x, %x) %v = ReduceMean(%s, %axes) %e = Add(%v, %eps) %r = Sqrt(%e) %y = Div(%z, %r) })");
}

TEST(FuseSoftmax, ExponentialsOverTheirSum) {
  ExpectRewrite("FuseSoftmax", R"(graph @g(%x: f32[2,3,4]) -> (%y) {
      const %axes: i64[1] = dense<[1]>
      %m = ReduceMax(%x, %axes) {keepdims = 1} %d = Sub(%x, %m) %e = Exp(%d)
      %s = ReduceSum(%e, %axes) {keepdims = 1} %y = Div(%e, %s) })",
                "graph @g(%x: f32[2,3,4]) -> (%y) { %y = Softmax(%x) {axis = 1} }");
  ExpectUnchanged("FuseSoftmax", R"(graph @g(%x: f32[2,3,4]) -> (%y, %z) {
      const %axes: i64[1] = dense<[1]>
      const %last: i64[1] = dense<[2]>
      %m = ReduceMax(%x, %axes) {keepdims = 1} %d = Sub(%x, %m) %e = Exp(%d)
      %s = ReduceSum(%e, %last) {keepdims = 1} %y = Div(%e, %s)
      %f = Exp(%x) %t = ReduceSum(%f, %axes) {keepdims = 1} %z = Div(%f, %t) })");
}

constexpr const char* kAttention =
    R"(graph @g(%q: f32[2,3,4,8], %k: f32[2,3,5,8], %v: f32[2,3,5,6], %mask: f32[2,1,1,5]) -> (%y) {
      %y = Attention(%q, %k, %v, %mask) {scale = 0.25} })";

TEST(FuseAttention, ScaleAnywhereMaskEitherSide) {
  const std::string head =
      "graph @g(%q: f32[2,3,4,8], %k: f32[2,3,5,8], %v: f32[2,3,5,6], %mask: f32[2,1,1,5]) -> (%y) "
      "{"
      " const %four: f32[] = dense<4> const %half: f32[1] = dense<[0.5]>";
  for (const char* tail :
       {"%s = MatMul(%q, %k) {transB = 1} %t = Div(%s, %four) %u = Add(%t, %mask)"
        "%p = Softmax(%u) {axis = -1} %y = MatMul(%p, %v) }",
        "%a = Mul(%q, %half) %b = Mul(%half, %k) %s = MatMul(%a, %b) {transB = 1}"
        "%u = Add(%mask, %s) %p = Softmax(%u) {axis = 3} %y = MatMul(%p, %v) }",
        "%a = Div(%q, %four) %s = MatMul(%a, %k) {transB = 1}"
        "%u = Add(%mask, %s) %p = Softmax(%u) {axis = 3} %y = MatMul(%p, %v) }"}) {
    ExpectRewrite("FuseAttention", head + tail, kAttention);
  }
}

TEST(FuseAttention, ThreeAxesGetABatch) {
  ExpectRewrite("FuseAttention",
                R"(graph @g(%q: f32[3,4,8], %k: f32[3,5,8], %v: f32[3,5,6]) -> (%y) {
      %s = MatMul(%q, %k) {transB = 1} %p = Softmax(%s) {axis = -1} %y = MatMul(%p, %v) })",
                R"(graph @g(%q: f32[3,4,8], %k: f32[3,5,8], %v: f32[3,5,6]) -> (%y) {
      const %a: i64[4] = dense<[1, 3, 4, 8]> %q4 = Reshape(%q, %a) {allowzero = 0}
      const %b: i64[4] = dense<[1, 3, 5, 8]> %k4 = Reshape(%k, %b) {allowzero = 0}
      const %c: i64[4] = dense<[1, 3, 5, 6]> %v4 = Reshape(%v, %c) {allowzero = 0}
      %y4 = Attention(%q4, %k4, %v4) {scale = 1.0}
      const %d: i64[3] = dense<[3, 4, 6]> %y = Reshape(%y4, %d) {allowzero = 0} })");
}

TEST(FuseAttentionHeads, ReadsHeadsInPlace) {
  ExpectRewrite("FuseAttentionHeads",
                R"(graph @g(%q: f32[2,4,3,8], %k: f32[2,5,3,8], %v: f32[2,5,3,6]) -> (%y) {
      %qt = Transpose(%q) {perm = [0, 2, 1, 3]} %kt = Transpose(%k) {perm = [0, 2, 1, 3]}
      %vt = Transpose(%v) {perm = [0, 2, 1, 3]} %a = Attention(%qt, %kt, %vt) {scale = 0.25}
      %y = Transpose(%a) {perm = [0, 2, 1, 3]} })",
                R"(graph @g(%q: f32[2,4,3,8], %k: f32[2,5,3,8], %v: f32[2,5,3,6]) -> (%y) {
      const %a: i64[3] = dense<[2, 4, 24]> %q3 = Reshape(%q, %a) {allowzero = 0}
      const %b: i64[3] = dense<[2, 5, 24]> %k3 = Reshape(%k, %b) {allowzero = 0}
      const %c: i64[3] = dense<[2, 5, 18]> %v3 = Reshape(%v, %c) {allowzero = 0}
      %y3 = Attention(%q3, %k3, %v3) {scale = 0.25, q_num_heads = 3, kv_num_heads = 3}
      const %d: i64[4] = dense<[2, 4, 3, 6]> %y = Reshape(%y3, %d) {allowzero = 0} })");
  ExpectUnchanged("FuseAttentionHeads",
                  R"(graph @g(%q: f32[2,4,3,8], %k: f32[2,5,3,8], %v: f32[2,3,5,6]) -> (%y) {
      %qt = Transpose(%q) {perm = [0, 2, 1, 3]} %kt = Transpose(%k) {perm = [0, 2, 1, 3]}
      %a = Attention(%qt, %kt, %v) {scale = 0.25} %y = Transpose(%a) {perm = [0, 2, 1, 3]} })");
}

TEST(FuseAttention, NearMisses) {
  const std::string head =
      "graph @g(%q: f32[2,3,4,8], %k: f32[2,3,5,8], %v: f32[2,3,5,6], %mask: f32[2,1,4,1]) -> (%y";
  // The weights are an output; a mask that broadcasts along the keys; softmax of another axis.
  ExpectUnchanged("FuseAttention", head +
                                       ", %p) { %s = MatMul(%q, %k) {transB = 1}"
                                       "%p = Softmax(%s) {axis = 3} %y = MatMul(%p, %v) }");
  ExpectUnchanged("FuseAttention", head +
                                       ") { %s = MatMul(%q, %k) {transB = 1} %u = Add(%s, %mask)"
                                       "%p = Softmax(%u) {axis = 3} %y = MatMul(%p, %v) }");
  ExpectUnchanged("FuseAttention", head +
                                       ") { %s = MatMul(%q, %k) {transB = 1}"
                                       "%p = Softmax(%s) {axis = 2} %y = MatMul(%p, %v) }");
}

}  // namespace
}  // namespace cairn
