// SPDX-License-Identifier: Apache-2.0
// The kernel of image pre-processing gives the reference's bits.
#include <gtest/gtest.h>

#include "ops/nn/aipp.h"
#include "reference/interpreter.h"
#include "support/kernel_tasks.h"

namespace cairn::testing {
namespace {

/// A frame that obeys the rules, with the channels it gives.
AippFrame RandomFrame(Dice& dice, int64_t& channels) {
  AippFrame f;
  f.format = static_cast<PixelFormat>(dice.Between(1, 4));
  const bool yuv420 = f.format == PixelFormat::kYuv420Sp;
  f.csc = f.format != PixelFormat::kYuv400 && dice.Coin();
  f.rbuv_swap = dice.Coin();
  f.ax_swap = dice.Coin();
  const auto size = [&](int64_t low, int64_t high) {
    return static_cast<int32_t>(yuv420 ? dice.Between(low, high) * 2 : dice.Between(low, high));
  };
  f.src_w = size(2, 40);
  f.src_h = size(1, 20);
  f.crop = dice.Coin();
  if (f.crop) {
    const int32_t step = yuv420 ? 2 : 1;
    f.crop_x = static_cast<int32_t>(dice.Between(0, f.src_w - 1)) / step * step;
    f.crop_y = static_cast<int32_t>(dice.Between(0, f.src_h - 1)) / step * step;
    f.crop_w = static_cast<int32_t>(dice.Between(1, f.src_w - f.crop_x));
    f.crop_h = static_cast<int32_t>(dice.Between(1, f.src_h - f.crop_y));
  }
  f.padding = dice.Coin();
  if (f.padding)
    for (int32_t* pad : {&f.pad_top, &f.pad_bottom, &f.pad_left, &f.pad_right})
      *pad = static_cast<int32_t>(dice.Between(0, 5));
  f.pad_value = static_cast<float>(dice.Between(0, 200));
  for (int16_t& m : f.matrix) m = static_cast<int16_t>(dice.Between(-600, 600));
  for (uint8_t& b : f.input_bias) b = static_cast<uint8_t>(dice.Between(0, 255));
  for (uint8_t& b : f.output_bias) b = static_cast<uint8_t>(dice.Between(0, 255));
  for (size_t c = 0; c < 4; ++c) {
    f.mean[c] = static_cast<int16_t>(dice.Between(0, 255));
    f.min[c] = static_cast<float>(dice.Between(0, 1000)) / 7;
    f.var_reci[c] = static_cast<float>(dice.Between(1, 1000)) / 5000;
  }
  channels = f.format == PixelFormat::kYuv400 ? 1 : 3;
  if (f.format == PixelFormat::kXrgb8888 && !f.csc && dice.Coin()) channels = 4;
  if ((f.csc || yuv420) && dice.Coin()) channels = 1;
  return f;
}

TEST(AippTask, StaticParameters) {
  for (uint64_t seed = 0; seed < 120; ++seed) {
    Dice dice(seed);
    int64_t channels = 0;
    const AippFrame f = RandomFrame(dice, channels);
    const int64_t batch = dice.Between(1, 3);
    const auto to = dice.OneOf({ElementType::kF32, ElementType::kF32, ElementType::kF16,
                                ElementType::kU8});
    Graph graph;
    Value* images = graph.AddInput("images", TensorType(ElementType::kU8, {batch * f.bytes()}));
    Node* node = graph.AddNode("Aipp", "aipp", {images});
    SetAippAttributes(f, *node);
    node->Set("to", TensorType(to));
    node->Set("shape", Ints{batch, channels, f.out_h(), f.out_w()});
    const Status inferred = InferNode(*node);
    ASSERT_TRUE(inferred.ok()) << inferred.message();
    graph.AddOutput(node->output(), "y");
    SCOPED_TRACE(seed);
    const plan::CompiledProgram compiled = ExpectKernels(graph, 0);
    Tensor bytes = *Tensor::Allocate(ElementType::kU8, {batch * f.bytes()});
    for (int64_t i = 0; i < bytes.num_elements(); ++i)
      bytes.mutable_data<uint8_t>()[i] = static_cast<uint8_t>(dice.Between(0, 255));
    const auto expected = RunReference(graph, {bytes});
    const auto actual = RunProgram(compiled, {bytes}, 2);
    ASSERT_TRUE(expected.ok() && actual.ok());
    EXPECT_TRUE((*actual)[0].Identical((*expected)[0]));
  }
}

}  // namespace
}  // namespace cairn::testing
