// SPDX-License-Identifier: Apache-2.0
// Tasks that move, select or resample elements give the reference's results exactly or nearly so.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/kernel_tasks.h"

namespace cairn::testing {
namespace {

/// A convolution's result, which is blocked, or a model input.
Value* Image(NodeGraph& g, bool blocked, Shape shape) {
  if (!blocked) return g.Input(shape);
  const int64_t channels = shape[1];
  shape[1] = 3;
  Shape weights = {channels, 3};
  weights.insert(weights.end(), shape.size() - 2, 1);
  return g.Op("Conv", {g.Input(shape), g.Weights(weights)});
}

TEST(TransposeTask, RandomPermutations) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Dice dice(seed);
    const int64_t rank = dice.Between(2, 5);
    Shape shape;
    for (int64_t i = 0; i < rank; ++i) shape.push_back(dice.OneOf<int64_t>({1, 2, 5, 9, 16}));
    Ints perm(static_cast<size_t>(rank));
    std::iota(perm.begin(), perm.end(), 0);
    for (size_t i = perm.size(); i-- > 1;) {
      std::swap(perm[i], perm[static_cast<size_t>(dice.Between(0, static_cast<int64_t>(i)))]);
    }
    NodeGraph g;
    const ElementType type = dice.OneOf({ElementType::kF32, ElementType::kI64, ElementType::kBool});
    g.Output(g.Op("Transpose", {g.Input(shape, type)}, {{"perm", perm}}));
    SCOPED_TRACE(seed);
    ExpectKernels(*g, 0);
  }
}

TEST(TransposeTask, ChannelsLastOfBlockedImages) {
  for (int64_t channels : {16, 21}) {
    NodeGraph g;
    Value* y = Image(g, true, {2, channels, 5, 7});
    Value* last = g.Op("Transpose", {y}, {{"perm", Ints{0, 2, 3, 1}}});
    g.Output(last);
    Value* back = g.Op("Transpose", {last}, {{"perm", Ints{0, 3, 1, 2}}});
    g.Output(g.Op("Conv", {back, g.Weights({8, channels, 1, 1})}));
    ExpectKernels(*g);
  }
}

TEST(ConcatTask, AxesAndLayouts) {
  for (bool blocked : {false, true}) {
    for (int64_t batch : {1, 2}) {
      for (int64_t axis : {0, 1, 2, 3}) {
        for (int64_t channels : {16, 21}) {
          NodeGraph g;
          std::vector<Value*> parts;
          for (int64_t i = 0; i < 3; ++i) {
            Shape shape = {batch, channels, 4, 6};
            shape[static_cast<size_t>(axis)] += axis == 1 ? 16 * i : i;
            parts.push_back(g.Op("Relu", {Image(g, blocked, shape)}));
          }
          Value* whole = g.Op("Concat", parts, {{"axis", axis}});
          g.Output(g.Op("Relu", {whole}));
          g.Output(parts[1]);
          SCOPED_TRACE(axis);
          ExpectKernels(*g);
        }
      }
    }
  }
}

TEST(ConcatTask, RepeatsInputsAndConstants) {
  NodeGraph g;
  Value* x = g.Input({1, 8, 4, 4});
  Value* y = g.Op("Relu", {x});
  g.Output(g.Op("Concat", {x, y, y, g.Weights({1, 8, 4, 4})}, {{"axis", int64_t{1}}}));
  ExpectKernels(*g, 0);
}

/// Channels that begin in the middle of a block, in the blocked layout.
TEST(ConcatTask, ShiftedChannels) {
  for (int64_t batch : {1, 2}) {
    for (const auto& sizes : {Shape{24, 24, 24, 24}, Shape{5, 40, 3}, Shape{21, 11, 70}}) {
      NodeGraph g;
      std::vector<Value*> parts;
      int64_t total = 0;
      for (int64_t size : sizes) {
        parts.push_back(Image(g, true, {batch, size, 12, 12}));
        total += size;
      }
      Value* whole = g.Op("Concat", parts, {{"axis", int64_t{1}}});
      g.Output(g.Op("Conv", {whole, g.Weights({16, total, 3, 3})}));
      ExpectKernels(*g, 1e-4);
    }
  }
}

TEST(ConcatTask, TheWholeSplitIsOnePart) {
  NodeGraph g;
  Value* y = g.Op("Conv", {g.Input({1, 8, 6, 6}), g.Weights({32, 8, 1, 1})});
  g.Op("Split", {y, g.IntList({16, 16})}, {{"axis", int64_t{1}}}, 2);
  Node* split = g.last();
  Value* z = g.Op("Conv", {split->output(1), g.Weights({16, 16, 1, 1})});
  Value* whole = g.Op("Concat", {split->output(0), split->output(1), z}, {{"axis", int64_t{1}}});
  g.Output(g.Op("Conv", {whole, g.Weights({4, 48, 1, 1})}));
  const auto compiled = ExpectKernels(*g);
  for (const Task& task : compiled.program.tasks) EXPECT_NE(task.kernel, "copy");
}

TEST(SplitTask, AxesAndLayouts) {
  for (bool blocked : {false, true}) {
    for (int64_t batch : {1, 2}) {
      for (int64_t axis : {1, 2, 3}) {
        NodeGraph g;
        Value* x = Image(g, blocked, {batch, 48, 6, 9});
        const int64_t size = axis == 1 ? 48 : axis == 2 ? 6 : 9;
        Value* sizes = g.IntList({size / 3, size - size / 3});
        g.Op("Split", {x, sizes}, {{"axis", axis}}, 2);
        Node* split = g.last();
        g.Output(g.Op("Relu", {split->output(0)}));
        g.Output(split->output(1));
        SCOPED_TRACE(axis);
        ExpectKernels(*g);
      }
    }
  }
}

TEST(SliceTask, RandomRanges) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Dice dice(seed);
    NodeGraph g;
    const Shape shape = {2, 32, 7, 9};
    Ints starts, ends, axes, steps;
    for (int64_t axis = 0; axis < 4; ++axis) {
      if (dice.Coin()) continue;
      const int64_t size = shape[static_cast<size_t>(axis)];
      const int64_t a = axis == 1 ? 16 * dice.Between(0, 1) : dice.Between(0, size - 1);
      axes.push_back(axis);
      starts.push_back(dice.Coin() ? a : a - size);
      if (dice.Between(0, 3) == 0) {
        ends.push_back(-1000);
        steps.push_back(-dice.Between(1, 2));
      } else {
        ends.push_back(dice.Coin() ? INT64_MAX : a + 1 + dice.Between(0, size));
        steps.push_back(dice.OneOf<int64_t>({1, 1, 2}));
      }
    }
    Value* x = Image(g, dice.Coin(), shape);
    g.Output(g.Op("Relu", {g.Op("Slice", {x, g.IntList(starts), g.IntList(ends), g.IntList(axes),
                                          g.IntList(steps)})}));
    SCOPED_TRACE(seed);
    ExpectKernels(*g);
  }
}

TEST(PadTask, ModesAndLayouts) {
  for (const char* mode : {"constant", "reflect", "edge", "wrap"}) {
    for (bool blocked : {false, true}) {
      for (float value : {0.0f, 2.5f}) {
        NodeGraph g;
        Value* x = Image(g, blocked, {1, 19, 5, 6});
        Value* pads = g.IntList({0, 0, 1, 2, 0, 0, 3, 1});
        g.Output(g.Op("Pad", {x, pads, g.Scalar(value)}, {{"mode", std::string(mode)}}));
        SCOPED_TRACE(mode);
        ExpectKernels(*g);
      }
    }
  }
}

TEST(GatherTask, AxesAndSingleIndices) {
  for (int64_t axis : {0, 1, -1}) {
    NodeGraph g;
    Value* x = g.Input({4, 5, 6});
    g.Output(g.Op("Gather", {x, g.Input({2, 3}, ElementType::kI64)}, {{"axis", axis}}));
    g.Output(g.Op("Gather", {x, g.Constant(Tensor::ScalarInt(-2))}, {{"axis", axis}}));
    g.Output(g.Op("Gather", {x, g.IntList({1})}, {{"axis", axis}}));
    ExpectKernels(*g, 0);
  }
}

TEST(GatherTask, ElementsAndPositions) {
  NodeGraph g;
  Value* x = g.Input({4, 5, 6});
  g.Output(
      g.Op("GatherElements", {x, g.Input({4, 2, 6}, ElementType::kI64)}, {{"axis", int64_t{1}}}));
  g.Output(g.Op("GatherND", {x, g.Input({3, 2}, ElementType::kI64)}));
  g.Output(
      g.Op("GatherND", {x, g.Input({4, 3, 1}, ElementType::kI64)}, {{"batch_dims", int64_t{1}}}));
  ExpectKernels(*g, 0);
}

TEST(GatherTask, AnIndexOutsideTheAxisIsReported) {
  NodeGraph g;
  g.Output(g.Op("Gather", {g.Input({4, 5}), g.Input({2}, ElementType::kI64)}));
  auto compiled = plan::PlanProgram(*g, HostTarget(), {});
  ASSERT_TRUE(compiled.ok());
  const Tensor data = RandomTensor({4, 5}, 1), indices = Tensor::FromInts({1, 4});
  auto outputs = RunProgram(*compiled, {data, indices}, 1);
  ASSERT_FALSE(outputs.ok());
  EXPECT_NE(outputs.status().message().find("index"), std::string::npos);
}

TEST(ScatterTask, ElementsAndPositions) {
  NodeGraph g;
  Value* x = g.Input({4, 5, 6});
  g.Output(g.Op("ScatterElements", {x, g.Input({1, 5, 6}, ElementType::kI64), g.Input({1, 5, 6})}));
  g.Output(g.Op("ScatterND", {x, g.Input({3, 2}, ElementType::kI64), g.Input({3, 6})},
                {{"reduction", std::string("add")}}));
  ExpectKernels(*g, 1e-6);
}

TEST(MovementTask, ExpandTileAndDepth) {
  NodeGraph g;
  g.Output(g.Op("Expand", {g.Input({3, 1, 5}), g.IntList({2, 1, 4, 5})}));
  g.Output(g.Op("Expand", {g.Input({3, 5}), g.IntList({1, 3, 5})}));
  g.Output(g.Op("Tile", {g.Input({3, 1, 5}), g.IntList({2, 4, 3})}));
  Value* image = g.Input({2, 16, 4, 6});
  g.Output(g.Op("DepthToSpace", {image}, {{"blocksize", int64_t{2}}}));
  g.Output(
      g.Op("DepthToSpace", {image}, {{"blocksize", int64_t{2}}, {"mode", std::string("CRD")}}));
  g.Output(g.Op("SpaceToDepth", {image}, {{"blocksize", int64_t{2}}}));
  ExpectKernels(*g, 0);
}

TEST(MovementTask, SelectionAndCastsOfIntegers) {
  NodeGraph g;
  Value *a = g.Input({3, 4}, ElementType::kI64), *b = g.Input({4}, ElementType::kI64);
  g.Output(g.Op("Where", {g.Input({3, 1}, ElementType::kBool), a, b}));
  g.Output(g.Op("Cast", {a}, {{"to", TensorType(ElementType::kI32)}}));
  g.Output(g.Op("Cast", {a}, {{"to", TensorType(ElementType::kF64)}}));
  g.Output(g.Op("Cast", {g.Input({7})}, {{"to", TensorType(ElementType::kI64)}}));
  g.Output(g.Op("Cast", {g.Input({7})}, {{"to", TensorType(ElementType::kF16)}}));
  ExpectKernels(*g, 0);
}

TEST(ResizeTask, ModesAndLayouts) {
  const std::pair<const char*, const char*> forms[] = {
      {"nearest", "asymmetric"},   {"nearest", "half_pixel"},        {"linear", "half_pixel"},
      {"linear", "align_corners"}, {"linear", "pytorch_half_pixel"}, {"cubic", "half_pixel"}};
  for (const auto& [mode, coordinates] : forms) {
    for (bool blocked : {false, true}) {
      for (bool sizes : {false, true}) {
        NodeGraph g;
        Value* x = Image(g, blocked, {1, 19, 5, 6});
        std::vector<Value*> inputs = {x, nullptr, nullptr};
        if (sizes) {
          inputs.push_back(g.IntList({1, 19, 9, 4}));
        } else {
          const float scales[] = {1, 1, 2, 2};
          inputs[2] = g.Constant(Tensor::FromValues<float>(ElementType::kF32, {4}, scales));
        }
        g.Output(g.Op("Resize", inputs,
                      {{"mode", std::string(mode)},
                       {"coordinate_transformation_mode", std::string(coordinates)},
                       {"nearest_mode", std::string("floor")}}));
        SCOPED_TRACE(mode);
        ExpectKernels(*g);
      }
    }
  }
}

TEST(ViewTask, ReshapesCostNothing) {
  NodeGraph g;
  Value* y = g.Op("Relu", {g.Input({2, 6, 4})});
  Value* flat = g.Op("Reshape", {y, g.IntList({2, 24})});
  g.Output(g.Op("Relu", {g.Op("Unsqueeze", {flat, g.IntList({0})})}));
  EXPECT_EQ(ExpectKernels(*g, 0).program.tasks.size(), 2u);
}

}  // namespace
}  // namespace cairn::testing
