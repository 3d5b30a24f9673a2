// SPDX-License-Identifier: Apache-2.0
// Tasks of matrix products, attention, softmax and normalisation give the reference's results.
#include <gtest/gtest.h>

#include "support/kernel_tasks.h"

namespace cairn::testing {
namespace {

TEST(MatmulTask, BroadcastsAndVectors) {
  struct Case {
    Shape a, b;
    bool constant;
  };
  const Case cases[] = {
      {{5, 7}, {7, 9}, true},
      {{5, 7}, {7, 9}, false},
      {{2, 3, 5, 7}, {7, 17}, true},
      {{2, 3, 5, 7}, {2, 3, 7, 4}, false},
      {{2, 1, 5, 7}, {3, 7, 4}, true},
      {{3, 5, 7}, {2, 1, 7, 4}, false},
      {{7}, {7, 9}, true},
      {{5, 7}, {7}, false},
      {{7}, {7}, true},
      {{1, 300}, {300, 70}, true},
      {{4, 1, 64}, {64, 48}, true},
      {{2, 2, 2, 3, 4}, {4, 5}, true},
      {{130, 40}, {40, 1}, true},
      {{2, 3, 1, 4}, {3, 4, 2}, false},
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

// The transpose of an image: its pixels are read in place, in channel blocks too.
TEST(MatmulTask, TransposedImage) {
  struct Case {
    int64_t images, channels, pixels;
    bool constant;
  };
  for (const Case& c : std::initializer_list<Case>{
           {1, 120, 40, true}, {2, 19, 7, true}, {3, 5, 1, true}, {2, 16, 3, false}}) {
    NodeGraph g;
    Value* x = g.Input({c.images, 3, c.pixels});
    Value* image = g.Op("Conv", {x, g.Weights({c.channels, 3, 1})});
    Value* b = c.constant ? g.Weights({c.channels, 21}) : g.Input({c.images, c.channels, 21});
    g.Output(g.Op("MatMul", {image, b}, {{"transA", int64_t{1}}}));
    ExpectKernels(*g);
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
