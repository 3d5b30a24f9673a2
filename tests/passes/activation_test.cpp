// SPDX-License-Identifier: Apache-2.0
// Activations are recognised in every spelling, and nothing else is taken for one.
#include "passes/pass_test.h"

namespace cairn {
namespace {

/// `body` computes %y from %x: f32[64] with the numbers below.
std::string Spelled(const std::string& body) {
  return R"(graph @g(%x: f32[64]) -> (%y) {
      const %half: f32[] = dense<0.5>
      const %one: f32[] = dense<1>
      const %two: f32[] = dense<2>
      const %three: f32[] = dense<3>
      const %six: f32[] = dense<6>
      const %zero: f32[] = dense<0>
      const %sixth: f32[] = dense<0.16666667>
      const %root2: f32[] = dense<1.4142135>
      const %inverse_root2: f32[] = dense<0.70710677>
      const %c1: f32[] = dense<0.044715>
      const %c2: f32[] = dense<0.7978846>
      const %c12: f32[] = dense<0.035677407>
      const %quick: f32[] = dense<1.702>
)" + body +
         "}";
}

void ExpectActivation(std::string_view pass, const std::string& body, const std::string& node) {
  ExpectRewrite(pass, Spelled(body), "graph @g(%x: f32[64]) -> (%y) { %y = " + node + " }", 3e-6);
}

TEST(FuseGelu, ErfForm) {
  for (const char* body :
       {"%a = Div(%x, %root2) %b = Erf(%a) %c = Add(%b, %one) %d = Mul(%x, %c) %y = Mul(%d, %half)",
        "%a = Mul(%inverse_root2, %x) %b = Erf(%a) %c = Add(%one, %b) %d = Mul(%half, %x) %y = "
        "Mul(%d, %c)",
        "%a = Mul(%x, %inverse_root2) %b = Erf(%a) %c = Add(%one, %b) %d = Mul(%half, %c) %y = "
        "Mul(%d, %x)",
        "%a = Div(%x, %root2) %b = Erf(%a) %c = Add(%b, %one) %d = Mul(%x, %c) %y = Div(%d, %two)",
        "%a = Div(%x, %root2) %b = Erf(%a) %h = Mul(%b, %half) %c = Add(%h, %half) %y = Mul(%x, "
        "%c)"}) {
    ExpectActivation("FuseGelu", body, "Gelu(%x) {approximate = \"none\"}");
  }
}

TEST(FuseGelu, TanhForm) {
  for (const char* body :
       {"%p = Pow(%x, %three) %a = Mul(%p, %c1) %b = Add(%x, %a) %c = Mul(%b, %c2) %t = Tanh(%c)"
        "%d = Add(%t, %one) %e = Mul(%x, %half) %y = Mul(%e, %d)",
        "%s = Mul(%x, %x) %p = Mul(%s, %x) %a = Mul(%c1, %p) %b = Add(%a, %x) %c = Mul(%c2, %b)"
        "%t = Tanh(%c) %d = Add(%one, %t) %e = Mul(%x, %d) %y = Mul(%half, %e)",
        "%s = Mul(%x, %x) %a = Mul(%c12, %s) %b = Add(%c2, %a) %c = Mul(%b, %x) %t = Tanh(%c)"
        "%h = Mul(%t, %half) %d = Add(%half, %h) %y = Mul(%d, %x)"}) {
    ExpectActivation("FuseGelu", body, "Gelu(%x) {approximate = \"tanh\"}");
  }
}

TEST(FuseGelu, NearMisses) {
  ExpectUnchanged("FuseGelu", Spelled("%a = Div(%x, %two) %b = Erf(%a) %c = Add(%b, %one)"
                                      "%d = Mul(%x, %c) %y = Mul(%d, %half)"));
  ExpectUnchanged("FuseGelu", Spelled("%a = Div(%x, %root2) %b = Erf(%a) %c = Sub(%b, %one)"
                                      "%d = Mul(%x, %c) %y = Mul(%d, %half)"));
  // The inner value is an output of the graph.
  ExpectUnchanged("FuseGelu", R"(graph @g(%x: f32[64]) -> (%y, %b) {
      const %half: f32[] = dense<0.5>
      const %one: f32[1] = dense<[1]>
      const %root2: f32[] = dense<1.4142135>
      %a = Div(%x, %root2) %b = Erf(%a) %c = Add(%b, %one) %d = Mul(%x, %c) %y = Mul(%d, %half) })");
}

TEST(FuseSwish, WithAndWithoutAlpha) {
  ExpectActivation("FuseSwish", "%s = Sigmoid(%x) %y = Mul(%s, %x)", "Swish(%x) {alpha = 1.0}");
  ExpectActivation("FuseSwish", "%n = Neg(%x) %e = Exp(%n) %d = Add(%one, %e) %y = Div(%x, %d)",
                   "Swish(%x) {alpha = 1.0}");
  ExpectActivation("FuseSwish", "%q = Mul(%x, %quick) %s = Sigmoid(%q) %y = Mul(%x, %s)",
                   "Swish(%x) {alpha = 1.702}");
  ExpectUnchanged("FuseSwish", Spelled("%q = Add(%x, %half) %s = Sigmoid(%q) %y = Mul(%x, %s)"));
}

TEST(FuseHardSwish, EverySpelling) {
  for (const char* body :
       {"%a = Add(%x, %three) %b = Clip(%a, %zero, %six) %c = Mul(%x, %b) %y = Div(%c, %six)",
        "%a = Add(%three, %x) %b = Clip(%a, %zero, %six) %c = Div(%b, %six) %y = Mul(%c, %x)",
        "%a = Add(%x, %three) %r = Relu(%a) %b = Min(%r, %six) %c = Mul(%sixth, %b) %y = Mul(%x, "
        "%c)",
        "%a = Add(%x, %three) %r = Max(%zero, %a) %b = Min(%six, %r) %c = Mul(%x, %b) %y = "
        "Mul(%sixth, %c)",
        "%a = HardSigmoid(%x) {alpha = 0.16666667, beta = 0.5} %y = Mul(%x, %a)"}) {
    ExpectActivation("FuseHardSwish", body, "HardSwish(%x)");
  }
}

TEST(FuseHardSwish, NearMisses) {
  ExpectUnchanged("FuseHardSwish",
                  Spelled("%a = HardSigmoid(%x) {alpha = 0.2, beta = 0.5} %y = Mul(%x, %a)"));
  ExpectUnchanged("FuseHardSwish", Spelled("%a = Add(%x, %three) %r = Relu(%a) %c = Mul(%sixth, %r)"
                                           "%y = Mul(%x, %c)"));
}

TEST(FuseHardSigmoid, EverySpelling) {
  for (const char* body :
       {"%a = Add(%x, %three) %b = Clip(%a, %zero, %six) %y = Div(%b, %six)",
        "%a = Mul(%x, %sixth) %b = Add(%a, %half) %y = Clip(%b, %zero, %one)",
        "%a = Add(%x, %three) %r = Relu(%a) %b = Min(%r, %six) %y = Mul(%b, %sixth)"}) {
    const auto graph = ParseAndInfer(Spelled(body));
    ASSERT_NE(graph, nullptr);
    const auto fused = graph->Clone();
    EXPECT_EQ(RunPassTo(*fused, "FuseHardSigmoid"), 1) << body;
    ASSERT_EQ(fused->num_nodes(), 1u);
    const Node* node = fused->Nodes()[0];
    EXPECT_EQ(node->op(), "HardSigmoid");
    EXPECT_FLOAT_EQ(node->GetFloat("alpha", 0), 1.0f / 6);
    EXPECT_FLOAT_EQ(node->GetFloat("beta", 0), 0.5f);
    EXPECT_LE(ResultDifference(*graph, *fused), 2e-6);
  }
  ExpectUnchanged("FuseHardSigmoid", Spelled("%a = Add(%x, %three) %y = Clip(%a, %zero, %six)"));
  ExpectUnchanged("FuseHardSigmoid", Spelled("%a = Mul(%x, %two) %y = Clip(%a, %zero, %six)"));
}

TEST(FuseSigmoid, FromExponentialsAndTanh) {
  ExpectActivation("FuseSigmoid", "%n = Neg(%x) %e = Exp(%n) %d = Add(%e, %one) %y = Div(%one, %d)",
                   "Sigmoid(%x)");
  ExpectActivation("FuseSigmoid",
                   "%n = Neg(%x) %e = Exp(%n) %d = Add(%e, %one) %y = Reciprocal(%d)",
                   "Sigmoid(%x)");
  ExpectActivation("FuseSigmoid",
                   "%a = Mul(%x, %half) %t = Tanh(%a) %b = Mul(%t, %half) %y = Add(%b, %half)",
                   "Sigmoid(%x)");
  ExpectUnchanged("FuseSigmoid", Spelled("%e = Exp(%x) %d = Add(%e, %one) %y = Div(%one, %d)"));
}

TEST(FuseMish, FromSoftplus) {
  ExpectActivation("FuseMish", "%s = Softplus(%x) %t = Tanh(%s) %y = Mul(%x, %t)", "Mish(%x)");
  ExpectActivation("FuseMish",
                   "%e = Exp(%x) %a = Add(%one, %e) %s = Log(%a) %t = Tanh(%s) %y = Mul(%t, %x)",
                   "Mish(%x)");
  ExpectUnchanged("FuseMish", Spelled("%s = Softplus(%x) %t = Sigmoid(%s) %y = Mul(%x, %t)"));
}

TEST(Activations, HalfPrecisionConstantsAreRounded) {
  const auto graph = ParseAndInfer(R"(graph @g(%x: f16[64]) -> (%y) {
      const %half: f16[] = dense<0.5>
      const %one: f16[] = dense<1>
      const %root2: f16[] = dense<1.4140625>
      %a = Div(%x, %root2) %b = Erf(%a) %c = Add(%b, %one) %d = Mul(%x, %c) %y = Mul(%d, %half) })");
  EXPECT_EQ(RunPassTo(*graph, "FuseGelu"), 1);
}

TEST(Activations, OtherTypesAndBroadcastsAreLeftAlone) {
  ExpectUnchanged("FuseSwish", R"(graph @g(%x: f32[1,4]) -> (%y) {
      const %ones: f32[3,1] = dense<1>
      %b = Mul(%x, %ones) %s = Sigmoid(%x) %y = Mul(%s, %b) })");
}

}  // namespace
}  // namespace cairn
