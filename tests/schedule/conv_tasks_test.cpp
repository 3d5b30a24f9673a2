// SPDX-License-Identifier: Apache-2.0
// Convolution tasks give the reference's results on random configurations.
#include <gtest/gtest.h>

#include "support/kernel_tasks.h"

namespace cairn::testing {
namespace {

TEST(ConvTask, RandomWindowsChannelsAndGroups) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Dice dice(seed);
    const int64_t rank = dice.OneOf<int64_t>({1, 2, 2, 2, 3});
    const int64_t group = dice.OneOf<int64_t>({1, 1, 1, 2, 3});
    const int64_t in = group * dice.OneOf<int64_t>({1, 3, 4, 8, 16, 19});
    const int64_t out = group * dice.OneOf<int64_t>({1, 5, 8, 16, 24, 33});
    Shape x = {dice.Between(1, 2), in}, w = {out, in / group};
    Ints strides, dilations, pads(static_cast<size_t>(2 * rank));
    for (int64_t i = 0; i < rank; ++i) {
      w.push_back(dice.OneOf<int64_t>({1, 1, 2, 3, 3, 5}));
      dilations.push_back(dice.OneOf<int64_t>({1, 1, 2}));
      strides.push_back(dice.OneOf<int64_t>({1, 1, 2, 3}));
      x.push_back((w.back() - 1) * dilations.back() + dice.Between(1, rank == 3 ? 5 : 12));
      pads[static_cast<size_t>(i)] = dice.Between(0, 2);
      pads[static_cast<size_t>(rank + i)] = dice.Between(0, 2);
    }
    NodeGraph g;
    std::vector<Value*> inputs = {g.Input(x), g.Weights(w)};
    if (dice.Coin()) inputs.push_back(g.Weights({out}));
    g.Output(
        g.Op("Conv", inputs,
             {{"strides", strides}, {"dilations", dilations}, {"pads", pads}, {"group", group}}));
    SCOPED_TRACE(seed);
    ExpectKernels(*g);
  }
}

TEST(ConvTask, DepthwiseWindows) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    Dice dice(seed);
    const int64_t channels = dice.OneOf<int64_t>({3, 8, 16, 20, 40});
    const int64_t kernel = dice.OneOf<int64_t>({3, 3, 5, 7}), stride = dice.OneOf<int64_t>({1, 2});
    NodeGraph g;
    Value* x = g.Input({dice.Between(1, 2), channels, dice.Between(7, 15), dice.Between(7, 15)});
    const Ints pads(4, kernel / 2);
    Value* y = g.Op("Conv", {x, g.Weights({channels, 1, kernel, kernel}), g.Weights({channels})},
                    {{"strides", Ints{stride, stride}}, {"pads", pads}, {"group", channels}});
    g.Output(g.Op("Relu", {y}));
    SCOPED_TRACE(seed);
    ExpectKernels(*g);
  }
}

TEST(ConvTask, Winograd) {
  for (uint64_t seed = 0; seed < 16; ++seed) {
    Dice dice(seed);
    const int64_t in = dice.OneOf<int64_t>({16, 32, 61}), out = dice.OneOf<int64_t>({16, 40, 64});
    NodeGraph g;
    Value* x = g.Input({dice.Between(1, 2), in, dice.Between(12, 30), dice.Between(12, 30)});
    const Ints pads(4, dice.Between(0, 1));
    Value* y = g.Op("Conv", {x, g.Weights({out, in, 3, 3}), g.Weights({out})}, {{"pads", pads}});
    g.Output(y);
    SCOPED_TRACE(seed);
    ExpectKernels(*g, 1e-4);
    plan::PlanOptions precise;
    precise.exact.all = true;
    ExpectMatchesReference(*g, precise, 2e-5);
  }
}

TEST(ConvTransposeTask, RandomWindows) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Dice dice(seed);
    const int64_t rank = dice.OneOf<int64_t>({1, 2, 2, 3}), group = dice.OneOf<int64_t>({1, 1, 2});
    const int64_t in = group * dice.OneOf<int64_t>({3, 8, 16}),
                  out = dice.OneOf<int64_t>({1, 5, 16});
    Shape x = {dice.Between(1, 2), in}, w = {in, out};
    Ints strides, dilations, extra, pads(static_cast<size_t>(2 * rank));
    for (int64_t i = 0; i < rank; ++i) {
      w.push_back(dice.OneOf<int64_t>({1, 2, 3, 4}));
      dilations.push_back(dice.OneOf<int64_t>({1, 1, 2}));
      strides.push_back(dice.OneOf<int64_t>({1, 2, 3}));
      extra.push_back(dice.Between(0, strides.back() - 1));
      x.push_back(dice.Between(3, 7));
      pads[static_cast<size_t>(i)] = dice.Between(0, 1);
      pads[static_cast<size_t>(rank + i)] = dice.Between(0, 1);
    }
    NodeGraph g;
    Value* y = g.Op("ConvTranspose", {g.Input(x), g.Weights(w), g.Weights({out * group})},
                    {{"strides", strides},
                     {"dilations", dilations},
                     {"pads", pads},
                     {"output_padding", extra},
                     {"group", group}});
    g.Output(y);
    SCOPED_TRACE(seed);
    ExpectKernels(*g);
  }
}

/// Windows that do not overlap and few channels: with and without a program behind them.
TEST(ConvTransposeTask, UpsamplesToFewChannels) {
  for (int64_t out : {1, 3}) {
    for (const char* activation : {"", "Relu", "Sigmoid"}) {
      NodeGraph g;
      Value* x = g.Op("Conv", {g.Input({2, 8, 5, 6}), g.Weights({24, 8, 1, 1})});
      Node* node =
          g->AddNode("ConvTranspose", {}, {x, g.Weights({24, out, 2, 2}), g.Weights({out})});
      node->Set("strides", Ints{2, 2});
      ASSERT_TRUE(InferNode(*node).ok());
      if (*activation) {
        SetEpilogue(*node, 3, [&](Graph& r, const std::vector<Value*>& in) {
          return Unary(r, activation, in[0]);
        });
      }
      g.Output(node->output());
      SCOPED_TRACE(activation);
      ExpectKernels(*g);
    }
  }
}

TEST(ConvTransposeTask, SizesFromTheOutput) {
  for (const char* mode : {"NOTSET", "SAME_UPPER", "SAME_LOWER"}) {
    NodeGraph g;
    NodeGraph::Attrs attributes = {{"strides", Ints{2, 2}}, {"auto_pad", std::string(mode)}};
    if (std::string(mode) == "NOTSET") attributes.push_back({"output_shape", Ints{10, 13}});
    g.Output(g.Op("ConvTranspose", {g.Input({1, 8, 5, 6}), g.Weights({8, 9, 3, 3})}, attributes));
    ExpectKernels(*g);
  }
}

TEST(ConvTask, AutoPadSame) {
  for (const char* mode : {"SAME_UPPER", "SAME_LOWER", "VALID"}) {
    NodeGraph g;
    Value* x = g.Input({1, 6, 10, 11});
    g.Output(g.Op("Conv", {x, g.Weights({7, 6, 3, 4})},
                  {{"auto_pad", std::string(mode)}, {"strides", Ints{2, 2}}}));
    ExpectKernels(*g);
  }
}

TEST(ConvTask, Epilogues) {
  for (int form = 0; form < 8; ++form) {
    for (int64_t channels : {16, 21}) {
      NodeGraph g;
      const Shape out = {2, channels, 5, 7};
      Value* x = g.Input({2, 9, 5, 7});
      std::vector<Value*> inputs = {x, g.Weights({channels, 9, 3, 3}), g.Weights({channels})};
      std::vector<Value*> extra;
      if (form == 1 || form == 2 || form == 5) extra.push_back(g.Op("Relu", {g.Input(out)}));
      if (form == 4) extra.push_back(g.Weights({channels, 1, 1}));
      if (form == 6) extra.push_back(g.Input({2, 1, 5, 7}));
      if (form == 7) extra.push_back(g.Input({}));
      inputs.insert(inputs.end(), extra.begin(), extra.end());
      Node* node = g->AddNode("Conv", {}, inputs);
      node->Set("pads", Ints{1, 1, 1, 1});
      node->output()->set_type(TensorType(ElementType::kF32, Dims(out.begin(), out.end())));
      SetEpilogue(*node, 3, [&](Graph& r, const std::vector<Value*>& in) -> Value* {
        switch (form) {
          case 0:
            return Unary(r, "Relu", in[0]);
          case 1:
            return Unary(r, "Relu", Binary(r, "Add", in[0], in[1]));
          case 2:
            return Binary(r, "Add", in[1], Unary(r, "Relu", in[0]));
          case 3:
            return Unary(r, "HardSwish", in[0]);
          case 4:
            return Binary(r, "Mul", in[0], Binary(r, "Add", in[0], in[1]));
          case 5:
            return Binary(r, "Mul", Unary(r, "Sigmoid", in[0]), in[1]);
          case 6:
            return Binary(r, "Mul", Unary(r, "Tanh", in[0]), in[1]);
          default:
            return Binary(r, "Div", in[0], in[1]);
        }
      });
      g.Output(node->output());
      SCOPED_TRACE(form);
      ExpectKernels(*g);
    }
  }
}

}  // namespace
}  // namespace cairn::testing
