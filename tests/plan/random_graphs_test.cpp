// SPDX-License-Identifier: Apache-2.0
// Random networks: layouts, views, in-place sharing, order and arena together change no result.
#include <gtest/gtest.h>

#include <cmath>

#include "support/kernel_tasks.h"

namespace cairn::testing {
namespace {

/// Grows a network of image operators from a few inputs; every value may be read again later.
class RandomNetwork {
 public:
  explicit RandomNetwork(uint64_t seed) : dice_(seed), batch_(dice_.Between(1, 2)) {
    for (int64_t i = dice_.Between(1, 2); i > 0; --i) {
      values_.push_back(graph_.Input({batch_, dice_.OneOf<int64_t>({3, 16, 21, 32}), 8, 8}));
    }
    const int64_t count = dice_.Between(4, 16);
    for (int64_t i = 0; i < count; ++i) Grow();
    const int64_t outputs = dice_.Between(1, 3);
    for (int64_t i = 0; i < outputs; ++i) graph_.Output(AnyValue());
    // What nobody reads would be removed before planning.
    for (Value* value : values_) {
      if (value->num_uses() == 0) graph_.Output(value);
    }
  }
  NodeGraph& graph() { return graph_; }

 private:
  Value* AnyValue() {
    return values_[static_cast<size_t>(dice_.Between(0, static_cast<int64_t>(values_.size()) - 1))];
  }
  static Shape ShapeOf(const Value* value) { return *ConstDims(*value->type().dims); }

  /// Another value of the same shape, or `value` itself.
  Value* Partner(Value* value) {
    for (int tries = 0; tries < 8; ++tries) {
      Value* other = AnyValue();
      if (other->type().dims == value->type().dims) return other;
    }
    return value;
  }

  void Grow() {
    Value* x = AnyValue();
    const Shape shape = ShapeOf(x);
    switch (dice_.Between(0, 11)) {
      case 0:
      case 1:
      case 2:
        return Add(Convolution(x, shape[1]));
      case 3:
        return Add(graph_.Op("Add", {x, Partner(x)}));
      case 4:
        return Add(graph_.Op("Relu", {x}));
      case 5:
        return Add(graph_.Op("Mul", {x, graph_.Op("GlobalAveragePool", {x})}));
      case 6:
        return Add(
            graph_.Op("MaxPool", {x}, {{"kernel_shape", Ints{3, 3}}, {"pads", Ints{1, 1, 1, 1}}}));
      case 7:
        if (shape[1] > 100) return;
        return Add(graph_.Op("Concat", {x, AnyValue(), Partner(x)}, {{"axis", int64_t{1}}}));
      case 8:
        return Split(x, shape[1]);
      case 9: {
        Value* rows = graph_.Op("Transpose", {x}, {{"perm", Ints{0, 2, 3, 1}}});
        return Add(
            graph_.Op("Transpose", {graph_.Op("Sigmoid", {rows})}, {{"perm", Ints{0, 3, 1, 2}}}));
      }
      case 10: {
        Value* flat = graph_.Op("Reshape", {x, graph_.IntList({batch_, shape[1], 64})});
        return Add(graph_.Op(
            "Reshape", {graph_.Op("Softmax", {flat}), graph_.IntList({batch_, shape[1], 8, 8})}));
      }
      default:
        return Residual(x, shape);
    }
  }

  Value* Convolution(Value* x, int64_t channels) {
    const int64_t out = dice_.OneOf<int64_t>({16, 21, 32, 48}),
                  kernel = dice_.OneOf<int64_t>({1, 3});
    const Ints pads(4, kernel / 2);
    // Weights of this size keep values near one.
    Tensor weights = RandomTensor({out, channels, kernel, kernel}, static_cast<uint64_t>(out));
    const double scale = 1.0 / std::sqrt(static_cast<double>(channels * kernel * kernel));
    for (int64_t i = 0; i < weights.num_elements(); ++i) {
      weights.SetDouble(i, weights.GetDouble(i) * scale);
    }
    return graph_.Op("Conv", {x, graph_.Constant(weights)}, {{"pads", pads}});
  }

  /// A convolution with a residual sum and an activation in its epilogue.
  void Residual(Value* x, const Shape& shape) {
    Value* y = Convolution(x, shape[1]);
    Value* residual = Partner(y);
    if (residual == y) return Add(y);
    Node* conv = y->producer();
    conv->AddInput(residual);
    SetEpilogue(*conv, 2, [](Graph& region, const std::vector<Value*>& in) {
      return Unary(region, "Relu", Binary(region, "Add", in[0], in[1]));
    });
    Add(y);
  }

  void Split(Value* x, int64_t channels) {
    const int64_t first = channels > 16 ? 16 : channels / 2;
    if (first == 0) return;
    graph_.Op("Split", {x, graph_.IntList({first, channels - first})}, {{"axis", int64_t{1}}}, 2);
    Node* split = graph_.last();
    Add(split->output(0));
    Add(split->output(1));
  }

  void Add(Value* value) { values_.push_back(value); }

  Dice dice_;
  int64_t batch_;
  NodeGraph graph_;
  std::vector<Value*> values_;
};

TEST(RandomGraphs, PlansGiveTheReferencesResults) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    RandomNetwork network(seed);
    SCOPED_TRACE(seed);
    const auto compiled = ExpectKernels(*network.graph(), 1e-3);
    EXPECT_LE(static_cast<double>(compiled.report.arena_bytes),
              1.05 * static_cast<double>(compiled.report.arena_lower_bound));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(RandomGraphs, ReuseOfMemoryChangesNoBit) {
  for (uint64_t seed = 200; seed < 240; ++seed) {
    RandomNetwork network(seed);
    plan::PlanOptions apart;
    apart.reuse_memory = false;
    auto shared = plan::PlanProgram(*network.graph(), HostTarget(), {});
    auto separate = plan::PlanProgram(*network.graph(), HostTarget(), apart);
    ASSERT_TRUE(shared.ok() && separate.ok());
    EXPECT_LE(shared->program.arena_bytes, separate->program.arena_bytes);
    const std::vector<Tensor> inputs = RandomInputs(*network.graph(), seed);
    auto a = RunProgram(*shared, inputs, 1), b = RunProgram(*separate, inputs, 1);
    ASSERT_TRUE(a.ok() && b.ok());
    for (size_t i = 0; i < a->size(); ++i) EXPECT_TRUE((*a)[i].Identical((*b)[i])) << seed;
  }
}

}  // namespace
}  // namespace cairn::testing
