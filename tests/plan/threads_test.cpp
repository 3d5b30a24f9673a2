// SPDX-License-Identifier: Apache-2.0
// A program's results are the same bits for every number of threads and in every run.
#include <gtest/gtest.h>

#include "support/kernel_tasks.h"

namespace cairn::testing {
namespace {

/// A network with every kind of heavy kernel, large enough that its tasks are shared among threads.
void BuildNetwork(NodeGraph& g) {
  Value* x = g.Input({1, 3, 64, 64});
  Value* y = g.Op("Conv", {x, g.Weights({32, 3, 3, 3})},
                  {{"strides", Ints{2, 2}}, {"pads", Ints{1, 1, 1, 1}}});
  y = g.Op("Relu", {y});
  Value* z = g.Op("Conv", {y, g.Weights({32, 32, 3, 3})}, {{"pads", Ints{1, 1, 1, 1}}});
  y = g.Op("Add", {y, z});
  y = g.Op("Conv", {y, g.Weights({32, 1, 3, 3})},
           {{"pads", Ints{1, 1, 1, 1}}, {"group", int64_t{32}}});
  y = g.Op("MaxPool", {y}, {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}});
  Value* up = g.Op("ConvTranspose", {y, g.Weights({32, 16, 2, 2})}, {{"strides", Ints{2, 2}}});
  g.Output(g.Op("Sigmoid", {up}));
  Value* tokens =
      g.Op("Transpose", {g.Op("Reshape", {y, g.IntList({1, 32, 256})})}, {{"perm", Ints{0, 2, 1}}});
  tokens = g.Op("LayerNormalization", {tokens, g.Weights({32}), g.Weights({32})});
  Value* q = g.Op("MatMul", {tokens, g.Weights({32, 64})});
  Value* k = g.Op("MatMul", {tokens, g.Weights({32, 64})});
  Value* a =
      g.Op("Attention", {q, k, q}, {{"q_num_heads", int64_t{4}}, {"kv_num_heads", int64_t{4}}});
  a = g.Op("Softmax", {g.Op("MatMul", {a, g.Weights({64, 300})})});
  g.Output(g.Op("ReduceMean", {a, g.IntList({1})}));
}

TEST(Threads, ResultsAreTheSameBits) {
  NodeGraph g;
  BuildNetwork(g);
  const std::vector<Tensor> inputs = RandomInputs(*g, 5);
  auto compiled = plan::PlanProgram(*g, HostTarget(4), {});
  ASSERT_TRUE(compiled.ok());
  EXPECT_TRUE(compiled->report.reference_nodes.empty());
  // Small tasks are shared too, so that every kernel is cut into parts.
  for (Task& task : compiled->program.tasks) task.max_parts = 16;
  auto one = RunProgram(*compiled, inputs, 1);
  ASSERT_TRUE(one.ok()) << one.status().ToString();
  for (int threads : {2, 3, 7}) {
    auto many = RunProgram(*compiled, inputs, threads);
    ASSERT_TRUE(many.ok()) << many.status().ToString();
    for (size_t i = 0; i < one->size(); ++i) {
      EXPECT_TRUE((*one)[i].Identical((*many)[i]))
          << "output " << i << ", " << threads << " threads";
    }
  }
}

TEST(Threads, PlansForOtherCoreCountsGiveTheSameBits) {
  NodeGraph g;
  BuildNetwork(g);
  const std::vector<Tensor> inputs = RandomInputs(*g, 6);
  auto one = plan::PlanProgram(*g, HostTarget(1), {}),
       four = plan::PlanProgram(*g, HostTarget(4), {});
  ASSERT_TRUE(one.ok() && four.ok());
  EXPECT_EQ(one->weights, four->weights);
  auto a = RunProgram(*one, inputs, 1), b = RunProgram(*four, inputs, 4);
  ASSERT_TRUE(a.ok() && b.ok());
  for (size_t i = 0; i < a->size(); ++i) EXPECT_TRUE((*a)[i].Identical((*b)[i]));
}

}  // namespace
}  // namespace cairn::testing
