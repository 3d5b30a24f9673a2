// SPDX-License-Identifier: Apache-2.0
// Pooling and reduction tasks give the reference's results.
#include <gtest/gtest.h>

#include "support/kernel_tasks.h"

namespace cairn::testing {
namespace {

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
    NodeGraph::Attrs attributes = {{"kernel_shape", kernel},
                                   {"strides", strides},
                                   {"pads", pads},
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
  const char* kinds[] = {"ReduceMean", "ReduceSum",       "ReduceMax",
                         "ReduceMin",  "ReduceProd",      "ReduceL1",
                         "ReduceL2",   "ReduceSumSquare", "ReduceLogSumExp"};
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

}  // namespace
}  // namespace cairn::testing
