// SPDX-License-Identifier: Apache-2.0
// Element-wise tasks give the reference's results, plain and blocked.
#include <gtest/gtest.h>

#include "support/kernel_tasks.h"

namespace cairn::testing {
namespace {

TEST(ElementwiseTask, UnaryOperators) {
  const char* ops[] = {"Abs",
                       "Neg",
                       "Sign",
                       "Floor",
                       "Ceil",
                       "Round",
                       "Exp",
                       "Sin",
                       "Cos",
                       "Tanh",
                       "Erf",
                       "Sigmoid",
                       "Relu",
                       "Gelu",
                       "Softplus",
                       "Softsign",
                       "HardSwish",
                       "HardSigmoid",
                       "LeakyRelu",
                       "Elu",
                       "Selu",
                       "Celu",
                       "ThresholdedRelu",
                       "Mish",
                       "Reciprocal"};
  for (const char* op : ops) {
    NodeGraph g;
    g.Output(g.Op(op, {g.Input({3, 37})}));
    SCOPED_TRACE(op);
    ExpectKernels(*g, 1e-4);
  }
}

TEST(ElementwiseTask, Broadcasting) {
  const std::pair<Shape, Shape> cases[] = {
      {{2, 3, 4, 5}, {4, 5}},       {{2, 3, 4, 5}, {3, 1, 1}},
      {{2, 1, 4, 1}, {1, 3, 1, 5}}, {{7}, {}},
      {{2, 3, 4, 5}, {2, 1, 1, 5}}, {{1, 1, 1, 1, 2, 3, 2, 2}, {2, 1, 2, 1, 2, 3, 2, 2}}};
  for (const char* op : {"Add", "Sub", "Mul", "Div", "Max", "Min"}) {
    for (const auto& [a, b] : cases) {
      NodeGraph g;
      g.Output(g.Op(op, {g.Input(a), g.Input(b)}));
      SCOPED_TRACE(op);
      ExpectKernels(*g, 1e-5);
    }
  }
}

TEST(ElementwiseTask, BlockedOperands) {
  for (int64_t channels : {16, 21}) {
    for (int form = 0; form < 5; ++form) {
      NodeGraph g;
      Value* y = g.Op("Conv", {g.Input({2, 4, 5, 6}), g.Weights({channels, 4, 1, 1})});
      Value* other = nullptr;
      if (form == 0) other = g.Weights({channels, 1, 1});
      if (form == 1) other = g.Op("GlobalAveragePool", {y});
      if (form == 2) other = g.Input({2, 1, 5, 6});
      if (form == 3) other = g.Input({1});
      if (form == 4) other = g.Op("Sigmoid", {y});
      g.Output(g.Op("Exp", {g.Op("Mul", {y, other})}));
      SCOPED_TRACE(form);
      ExpectKernels(*g, 1e-4);
    }
  }
}

TEST(ElementwiseTask, BatchNormalisation) {
  for (bool blocked : {false, true}) {
    NodeGraph g;
    Value* x = g.Input({2, 21, 5, 6});
    if (blocked) x = g.Op("Conv", {x, g.Weights({21, 21, 1, 1})});
    Value* variance = g.Constant(
        Tensor::FromValues<float>(ElementType::kF32, {21}, std::vector<float>(21, 0.7f)));
    g.Output(g.Op("BatchNormalization",
                  {x, g.Weights({21}), g.Weights({21}), g.Weights({21}), variance}));
    ExpectKernels(*g);
  }
}

TEST(IntegerTask, ArithmeticAndComparisons) {
  for (const char* op :
       {"Add", "Sub", "Mul", "Max", "Min", "Equal", "Less", "GreaterOrEqual", "Pow"}) {
    for (ElementType type : {ElementType::kI64, ElementType::kI32}) {
      NodeGraph g;
      g.Output(g.Op(op, {g.Input({3, 4, 5}, type), g.Input({4, 1}, type)}));
      SCOPED_TRACE(op);
      ExpectKernels(*g, 0);
    }
  }
  NodeGraph g;
  Value* x = g.Input({6}, ElementType::kI64);
  g.Output(g.Op("Neg", {x}));
  g.Output(g.Op("Div", {x, g.IntList({3})}));
  g.Output(g.Op("Mod", {x, g.IntList({-3})}));
  ExpectKernels(*g, 0);
}

TEST(ElementwiseTask, ComparisonsAndSelection) {
  NodeGraph g;
  Value *a = g.Input({4, 9}), *b = g.Input({9});
  Value* less = g.Op("Less", {a, b});
  g.Output(less);
  g.Output(g.Op("Where", {less, a, b}));
  g.Output(g.Op("Cast", {less}, {{"to", TensorType(ElementType::kF32)}}));
  g.Output(g.Op("And", {less, g.Op("Not", {g.Op("Greater", {a, b})})}));
  g.Output(
      g.Op("Cast", {g.Input({5}, ElementType::kI64)}, {{"to", TensorType(ElementType::kF32)}}));
  ExpectKernels(*g, 0);
}

}  // namespace
}  // namespace cairn::testing
