// SPDX-License-Identifier: Apache-2.0
// Every kernel, through planning and binding, gives the reference's results on random configurations.
#include <gtest/gtest.h>

#include <random>

#include "ir/text.h"
#include "support/node_graph.h"
#include "support/plan_runner.h"

namespace cairn::testing {
namespace {

/// Seeded choices.
class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}
  int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random_() % static_cast<uint64_t>(high - low + 1));
  }
  template <class T>
  T OneOf(std::initializer_list<T> list) {
    return *(list.begin() + Between(0, static_cast<int64_t>(list.size()) - 1));
  }
  bool Coin() { return Between(0, 1) == 1; }

 private:
  std::mt19937_64 random_;
};

/// Plans, runs and compares; the node must not have fallen back to the reference.
plan::CompiledProgram ExpectKernels(Graph& graph, double tolerance = 2e-5) {
  plan::CompiledProgram compiled = ExpectMatchesReference(graph, {}, tolerance);
  EXPECT_TRUE(compiled.report.reference_nodes.empty())
      << "reference used: " << compiled.report.reference_nodes.front() << " in\n" << PrintGraph(graph);
  return compiled;
}

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
    g.Output(g.Op("Conv", inputs, {{"strides", strides}, {"dilations", dilations}, {"pads", pads},
                                   {"group", group}}));
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
    precise.high_precision = true;
    ExpectMatchesReference(*g, precise, 2e-5);
  }
}

TEST(ConvTransposeTask, RandomWindows) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Dice dice(seed);
    const int64_t rank = dice.OneOf<int64_t>({1, 2, 2, 3}), group = dice.OneOf<int64_t>({1, 1, 2});
    const int64_t in = group * dice.OneOf<int64_t>({3, 8, 16}), out = dice.OneOf<int64_t>({1, 5, 16});
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
                    {{"strides", strides}, {"dilations", dilations}, {"pads", pads},
                     {"output_padding", extra}, {"group", group}});
    g.Output(y);
    SCOPED_TRACE(seed);
    ExpectKernels(*g);
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

/// Gives `node` an epilogue region built by `build`, called with the region and its first input; node
/// inputs from `num_formal` on become the region's other inputs.
template <class BuildFn>
void SetEpilogue(Node& node, size_t num_formal, const BuildFn& build) {
  auto region = std::make_shared<Graph>("epilogue");
  std::vector<Value*> inputs = {region->AddInput({}, node.output()->type())};
  for (size_t i = num_formal; i < node.inputs().size(); ++i) {
    inputs.push_back(region->AddInput({}, node.input(i)->type()));
  }
  region->AddOutput(build(*region, inputs));
  ASSERT_TRUE(InferGraph(*region).ok());
  node.Set("epilogue", Region(region));
  node.Set("num_epilogue_inputs", static_cast<int64_t>(node.inputs().size() - num_formal));
  const Status inferred = InferNode(node);
  ASSERT_TRUE(inferred.ok()) << inferred.ToString();
}

Value* Unary(Graph& graph, const char* op, Value* x) {
  return graph.AddNode(op, {}, {x})->output();
}
Value* Binary(Graph& graph, const char* op, Value* a, Value* b) {
  return graph.AddNode(op, {}, {a, b})->output();
}

/// Result-shaped, per-channel and per-pixel operands, in registers and as programs.
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
          case 0: return Unary(r, "Relu", in[0]);
          case 1: return Unary(r, "Relu", Binary(r, "Add", in[0], in[1]));
          case 2: return Binary(r, "Add", in[1], Unary(r, "Relu", in[0]));
          case 3: return Unary(r, "HardSwish", in[0]);
          case 4: return Binary(r, "Mul", in[0], Binary(r, "Add", in[0], in[1]));
          case 5: return Binary(r, "Mul", Unary(r, "Sigmoid", in[0]), in[1]);
          case 6: return Binary(r, "Mul", Unary(r, "Tanh", in[0]), in[1]);
          default: return Binary(r, "Div", in[0], in[1]);
        }
      });
      g.Output(node->output());
      SCOPED_TRACE(form);
      ExpectKernels(*g);
    }
  }
}

TEST(MatmulTask, BroadcastsAndVectors) {
  struct Case { Shape a, b; bool constant; };
  const Case cases[] = {
      {{5, 7}, {7, 9}, true},          {{5, 7}, {7, 9}, false},
      {{2, 3, 5, 7}, {7, 17}, true},   {{2, 3, 5, 7}, {2, 3, 7, 4}, false},
      {{2, 1, 5, 7}, {3, 7, 4}, true}, {{3, 5, 7}, {2, 1, 7, 4}, false},
      {{7}, {7, 9}, true},             {{5, 7}, {7}, false},
      {{7}, {7}, true},                {{1, 300}, {300, 70}, true},
      {{4, 1, 64}, {64, 48}, true},    {{2, 2, 2, 3, 4}, {4, 5}, true},
      {{130, 40}, {40, 1}, true},      {{2, 3, 1, 4}, {3, 4, 2}, false},
  };
  for (const Case& c : cases) {
    NodeGraph g;
    Value* a = g.Input(c.a);
    Value* b = c.constant ? g.Weights(c.b) : g.Input(c.b);
    g.Output(g.Op("MatMul", {a, b}));
    ExpectKernels(*g);
  }
}

TEST(MatmulTask, GemmWithBias) {
  for (int64_t trans_a : {0, 1}) {
    for (int64_t trans_b : {0, 1}) {
      NodeGraph g;
      Value* a = g.Input(trans_a ? Shape{6, 5} : Shape{5, 6});
      Value* b = g.Weights(trans_b ? Shape{19, 6} : Shape{6, 19});
      g.Output(g.Op("Gemm", {a, b, g.Weights({19})}, {{"transA", trans_a}, {"transB", trans_b}}));
      ExpectKernels(*g);
    }
  }
}

TEST(MatmulTask, Epilogues) {
  for (int form = 0; form < 3; ++form) {
    NodeGraph g;
    std::vector<Value*> inputs = {g.Input({2, 5, 12}), g.Weights({12, 21})};
    inputs.push_back(form == 2 ? g.Input({2, 5, 1}) : g.Weights({21}));
    if (form == 1) inputs.push_back(g.Input({2, 5, 21}));
    Node* node = g->AddNode("MatMul", {}, inputs);
    node->output()->set_type(TensorType(ElementType::kF32, {2, 5, 21}));
    SetEpilogue(*node, 2, [&](Graph& r, const std::vector<Value*>& in) -> Value* {
      Value* sum = Binary(r, "Add", in[0], in[1]);
      if (form == 0) return Unary(r, "Gelu", sum);
      if (form == 1) return Binary(r, "Add", sum, in[2]);
      return Binary(r, "Mul", in[0], sum);
    });
    g.Output(node->output());
    SCOPED_TRACE(form);
    ExpectKernels(*g);
  }
}

TEST(PoolTask, RandomWindows) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Dice dice(seed);
    const int64_t rank = dice.OneOf<int64_t>({1, 2, 2, 3});
    Shape x = {dice.Between(1, 2), dice.OneOf<int64_t>({3, 8, 16, 21})};
    Ints kernel, strides, pads(static_cast<size_t>(2 * rank));
    for (int64_t i = 0; i < rank; ++i) {
      kernel.push_back(dice.Between(1, 4));
      strides.push_back(dice.Between(1, 3));
      x.push_back(dice.Between(4, 11));
      pads[static_cast<size_t>(i)] = dice.Between(0, kernel.back() / 2);
      pads[static_cast<size_t>(rank + i)] = dice.Between(0, kernel.back() / 2);
    }
    const bool average = dice.Coin();
    NodeGraph::Attrs attributes = {{"kernel_shape", kernel}, {"strides", strides}, {"pads", pads},
                                   {"ceil_mode", dice.Between(0, 1)}};
    if (average) attributes.push_back({"count_include_pad", dice.Between(0, 1)});
    NodeGraph g;
    // Behind a convolution the blocked form is chosen.
    Value* source = g.Input(x);
    if (dice.Coin()) {
      Shape w = {x[1], x[1]};
      w.insert(w.end(), static_cast<size_t>(rank), 1);
      source = g.Op("Conv", {source, g.Weights(w)});
    }
    g.Output(g.Op(average ? "AveragePool" : "MaxPool", {source}, attributes));
    SCOPED_TRACE(seed);
    ExpectKernels(*g);
  }
}

TEST(ReduceTask, AxesAndKinds) {
  const char* kinds[] = {"ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1",
                         "ReduceL2", "ReduceSumSquare", "ReduceLogSumExp"};
  const std::vector<Ints> axes = {{0}, {1}, {-1}, {2, 3}, {0, 2}, {1, 3}, {0, 1, 2, 3}, {-3, -1}};
  for (const char* kind : kinds) {
    for (const Ints& list : axes) {
      for (int64_t keepdims : {0, 1}) {
        NodeGraph g;
        g.Output(g.Op(kind, {g.Input({2, 5, 4, 6}), g.IntList(list)}, {{"keepdims", keepdims}}));
        ExpectKernels(*g, 1e-4);
      }
    }
  }
}

TEST(ReduceTask, BlockedImages) {
  for (int64_t batch : {1, 2}) {
    for (int64_t channels : {16, 21}) {
      for (int64_t keepdims : {0, 1}) {
        NodeGraph g;
        Value* y = g.Op("Conv", {g.Input({batch, 4, 5, 6}), g.Weights({channels, 4, 3, 3})});
        Value* z = g.Op("ReduceMean", {y, g.IntList({2, 3})}, {{"keepdims", keepdims}});
        g.Output(z);
        g.Output(g.Op("GlobalAveragePool", {y}));
        g.Output(g.Op("GlobalMaxPool", {y}));
        ExpectKernels(*g);
      }
    }
  }
}

TEST(ReduceTask, ArgExtremes) {
  for (const char* op : {"ArgMax", "ArgMin"}) {
    for (int64_t axis : {0, 1, -1}) {
      NodeGraph g;
      g.Output(g.Op(op, {g.Input({3, 5, 7})}, {{"axis", axis}, {"keepdims", int64_t{axis == 1}}}));
      ExpectKernels(*g, 0);
    }
  }
}

TEST(SoftmaxTask, EveryAxis) {
  for (const char* op : {"Softmax", "LogSoftmax"}) {
    for (int64_t axis : {0, 1, 2, -1}) {
      NodeGraph g;
      g.Output(g.Op(op, {g.Input({3, 20, 17})}, {{"axis", axis}}));
      ExpectKernels(*g);
    }
  }
}

TEST(NormTask, Kinds) {
  for (int64_t axis : {1, 2, -1}) {
    NodeGraph g;
    const Shape scale = axis == 1 ? Shape{5, 24} : Shape{24};
    g.Output(g.Op("LayerNormalization", {g.Input({3, 5, 24}), g.Weights(scale), g.Weights(scale)},
                  {{"axis", axis}}));
    g.Output(g.Op("RMSNormalization", {g.Input({3, 5, 24}), g.Weights(scale)}, {{"axis", axis}}));
    ExpectKernels(*g);
  }
  NodeGraph g;
  Value* x = g.Input({2, 6, 5, 7});
  g.Output(g.Op("InstanceNormalization", {x, g.Weights({6}), g.Weights({6})}));
  g.Output(g.Op("GroupNormalization", {x, g.Weights({6}), g.Weights({6})},
                {{"num_groups", int64_t{3}}}));
  g.Output(g.Op("LRN", {x}, {{"size", int64_t{3}}}));
  ExpectKernels(*g);
}

TEST(ElementwiseTask, UnaryOperators) {
  const char* ops[] = {"Abs", "Neg", "Sign", "Floor", "Ceil", "Round", "Exp", "Sin", "Cos", "Tanh", "Erf",
                       "Sigmoid", "Relu", "Gelu", "Softplus", "Softsign", "HardSwish", "HardSigmoid",
                       "LeakyRelu", "Elu", "Selu", "Celu", "ThresholdedRelu", "Mish", "Reciprocal"};
  for (const char* op : ops) {
    NodeGraph g;
    g.Output(g.Op(op, {g.Input({3, 37})}));
    SCOPED_TRACE(op);
    ExpectKernels(*g, 1e-4);
  }
}

TEST(ElementwiseTask, Broadcasting) {
  const std::pair<Shape, Shape> cases[] = {
      {{2, 3, 4, 5}, {4, 5}}, {{2, 3, 4, 5}, {3, 1, 1}}, {{2, 1, 4, 1}, {1, 3, 1, 5}}, {{7}, {}},
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

/// Beside a convolution's result: per channel, per image and channel, per pixel, scalar.
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

TEST(ElementwiseTask, ComparisonsAndSelection) {
  NodeGraph g;
  Value *a = g.Input({4, 9}), *b = g.Input({9});
  Value* less = g.Op("Less", {a, b});
  g.Output(less);
  g.Output(g.Op("Where", {less, a, b}));
  g.Output(g.Op("Cast", {less}, {{"to", TensorType(ElementType::kF32)}}));
  g.Output(g.Op("And", {less, g.Op("Not", {g.Op("Greater", {a, b})})}));
  g.Output(g.Op("Cast", {g.Input({5}, ElementType::kI64)}, {{"to", TensorType(ElementType::kF32)}}));
  ExpectKernels(*g, 0);
}

TEST(AttentionTask, HeadsMasksAndCausality) {
  for (int form = 0; form < 5; ++form) {
    NodeGraph g;
    const bool flat = form % 2 == 1;
    const int64_t q_len = form == 4 ? 9 : 5;
    Value* q = flat ? g.Input({2, q_len, 24}) : g.Input({2, 3, q_len, 8});
    Value* k = flat ? g.Input({2, 9, 24}) : g.Input({2, 3, 9, 8});
    Value* v = flat ? g.Input({2, 9, 24}) : g.Input({2, 3, 9, 8});
    std::vector<Value*> inputs = {q, k, v};
    if (form == 2) inputs.push_back(g.Input({2, 1, q_len, 9}));
    NodeGraph::Attrs attributes;
    if (flat) attributes = {{"q_num_heads", int64_t{3}}, {"kv_num_heads", int64_t{3}}};
    if (form == 4) attributes.push_back({"is_causal", int64_t{1}});
    g.Output(g.Op("Attention", inputs, attributes));
    SCOPED_TRACE(form);
    ExpectKernels(*g);
  }
}

}  // namespace
}  // namespace cairn::testing
