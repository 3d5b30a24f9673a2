// SPDX-License-Identifier: Apache-2.0
// The configuration of image pre-processing: published files, defaults, errors, and the graph edit.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "frontend/aipp/config.h"
#include "frontend/aipp/insert.h"
#include "ops/op_def.h"
#include "reference/interpreter.h"

namespace cairn::aipp {
namespace {

/// The published configurations by their number.
std::vector<std::string> PublishedConfigs() {
  std::ifstream file(CAIRN_AIPP_CONFIGS);
  std::vector<std::string> configs;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("---"))
      configs.emplace_back();
    else if (!configs.empty())
      configs.back() += line + "\n";
  }
  return configs;
}

std::string ErrorOf(const std::string& text) {
  const auto ops = ParseAippConfig(text);
  return ops.ok() ? "" : ops.status().message();
}

/// A network that gives its input back.
std::unique_ptr<Graph> IdentityOf(Dims dims, ElementType dtype = ElementType::kF32) {
  auto graph = std::make_unique<Graph>();
  Value* x = graph->AddInput("data", TensorType(dtype, std::move(dims)));
  Node* node = graph->AddNode("Identity", "same", {x});
  EXPECT_TRUE(InferNode(*node).ok());
  graph->AddOutput(node->output(), "y");
  return graph;
}

TEST(AippConfig, PublishedFilesAreReadAndRun) {
  const auto configs = PublishedConfigs();
  ASSERT_EQ(configs.size(), 30u);
  for (size_t i = 0; i < configs.size(); ++i) {
    SCOPED_TRACE(configs[i]);
    const auto ops = ParseAippConfig(configs[i]);
    ASSERT_TRUE(ops.ok()) << ops.status().message();
    ASSERT_EQ(ops->size(), 1u);
    AippFrame frame = (*ops)[0].frame;
    ResolveSizes(64, 48, frame);
    const auto graph = IdentityOf({1, 3, frame.out_h(), frame.out_w()});
    std::vector<std::string> lines;
    const Status inserted = InsertAipp(*ops, false, *graph, lines);
    ASSERT_TRUE(inserted.ok()) << inserted.message();
    EXPECT_GE(lines.size(), 2u);
    const Shape shape = *ConstDims(*graph->inputs()[0]->type().dims);
    Tensor image = *Tensor::Allocate(ElementType::kU8, shape);
    for (int64_t k = 0; k < image.num_elements(); ++k)
      image.mutable_data<uint8_t>()[k] = static_cast<uint8_t>(k * 7 + 13);
    const auto results = RunReference(*graph, {image});
    ASSERT_TRUE(results.ok()) << results.status().message();
    if (frame.format != PixelFormat::kRgb888) continue;
    // The first pixel that is used, by the formula.
    const int64_t at = (int64_t{frame.crop ? frame.crop_y : 0} * frame.src_w +
                        (frame.crop ? frame.crop_x : 0)) * 3;
    const float expected =
        (static_cast<float>(image.data<uint8_t>()[at]) - frame.mean[0] - frame.min[0]) *
        frame.var_reci[0];
    EXPECT_EQ((*results)[0].data<float>()[0], expected);
  }
}

TEST(AippConfig, DefaultsFollowTheFormat) {
  const auto ops = ParseAippConfig(
      "aipp_op { aipp_mode: static input_format: YUV420SP_U8 csc_switch: true }\n"
      "aipp_op { aipp_mode : static, input_format : RGB888_U8, related_input_rank : 1 }");
  ASSERT_TRUE(ops.ok()) << ops.status().message();
  EXPECT_EQ((*ops)[0].frame.matrix[1], 516);
  EXPECT_EQ((*ops)[1].frame.matrix[1], 129);
  EXPECT_EQ((*ops)[1].frame.input_bias[0], 16);
  EXPECT_EQ((*ops)[1].frame.var_reci[2], 1.0f);
  EXPECT_EQ((*ops)[1].input_rank, 1);
}

TEST(AippConfig, ErrorsNameLineFieldValueAndRange) {
  const std::string head = "aipp_op {\n  aipp_mode: static\n  input_format: RGB888_U8\n";
  EXPECT_EQ(ErrorOf(head + "  mean_chn_1: 256\n}"),
            "line 4: mean_chn_1 is 256, it must be an integer in [0, 255]");
  EXPECT_EQ(ErrorOf(head + "  left_padding_size: 33\n}"),
            "line 4: left_padding_size is 33, it must be an integer in [0, 32]");
  EXPECT_EQ(ErrorOf(head + "  crop: maybe\n}"), "line 4: crop is maybe, it must be true or false");
  EXPECT_EQ(ErrorOf(head + "  var_reci_chn_0: x\n}"),
            "line 4: var_reci_chn_0 is x, it must be a number in [-65504, 65504]");
  EXPECT_EQ(ErrorOf(head + "  means_chn_1: 2\n}"),
            "line 4: there is no field 'means_chn_1', did you mean 'mean_chn_1'?");
  EXPECT_EQ(ErrorOf(head + "  crop: true\n  crop: false\n}"),
            "line 5: crop is given twice, first in line 4");
  EXPECT_EQ(ErrorOf("aipp_op { input_format: RGB888_U8 }"),
            "line 1: aipp_mode is missing (static or dynamic)");
  EXPECT_EQ(ErrorOf("aipp_op {\n aipp_mode: static\n input_format: YUYV_U8 }"),
            "line 3: input_format is YUYV_U8, available are YUV420SP_U8, XRGB8888_U8, RGB888_U8, "
            "YUV400_U8");
  EXPECT_EQ(ErrorOf("aipp_op { aipp_mode: dynamic }"),
            "line 1: max_src_image_size is missing, dynamic pre-processing needs the bytes of the "
            "largest images");
  EXPECT_EQ(ErrorOf("aipp_op {\n aipp_mode: static\n input_format: YUV420SP_U8\n"
                    " src_image_size_w: 225\n}"),
            "line 4: src_image_size_w is 225, it must be even for YUV420SP_U8");
  EXPECT_EQ(ErrorOf(head + "  resize: true\n}"),
            "line 4: resize is true, scaling of images is not available on this device");
  EXPECT_EQ(ErrorOf(head + "  crop: true\n}"),
            "line 1: src_image_size_w and src_image_size_h must be given with crop");
  EXPECT_EQ(ErrorOf(""), "the file has no aipp_op");
  EXPECT_EQ(ErrorOf("aipp_op {\n"), "line 2: a '}' is missing at the end of the file");
  EXPECT_EQ(ErrorOf("op { }"), "line 1: 'aipp_op {' is expected, not 'op'");
}

TEST(AippInsert, SizesMustGiveTheNetworksInput) {
  const auto ops = ParseAippConfig(
      "aipp_op { aipp_mode: static input_format: RGB888_U8 src_image_size_w: 8 "
      "src_image_size_h: 8 }");
  const auto graph = IdentityOf({1, 3, 4, 8});
  std::vector<std::string> lines;
  EXPECT_EQ(InsertAipp(*ops, false, *graph, lines).message(),
            "aipp_op of line 1: the images become 8 wide and 8 high, input 'data' is 8 wide and 4 "
            "high");
}

TEST(AippInsert, AnInputTakesOneOp) {
  const auto ops = ParseAippConfig(
      "aipp_op { aipp_mode: static input_format: RGB888_U8 }\n"
      "aipp_op { aipp_mode: static input_format: RGB888_U8 }");
  const auto graph = IdentityOf({1, 3, 4, 8});
  std::vector<std::string> lines;
  EXPECT_EQ(InsertAipp(*ops, false, *graph, lines).message(),
            "aipp_op of line 2: input 'data' has an aipp_op already");
}

TEST(AippInsert, OrderIsSwapCropColoursNormalisationPadding) {
  const auto ops = ParseAippConfig(
      "aipp_op { aipp_mode: static input_format: RGB888_U8 src_image_size_w: 4 "
      "src_image_size_h: 4 rbuv_swap_switch: true crop: true load_start_pos_w: 1 "
      "load_start_pos_h: 1 crop_size_w: 2 crop_size_h: 2 csc_switch: true "
      "matrix_r0c0: 256 matrix_r0c1: 0 matrix_r0c2: 0 matrix_r1c0: 0 matrix_r1c1: 128 "
      "matrix_r1c2: 0 matrix_r2c0: 0 matrix_r2c1: 0 matrix_r2c2: 64 output_bias_0: 1 "
      "output_bias_1: 2 output_bias_2: 3 mean_chn_0: 10 mean_chn_1: 20 mean_chn_2: 30 "
      "padding: true left_padding_size: 1 right_padding_size: 1 top_padding_size: 1 "
      "bottom_padding_size: 1 padding_value: -5 }");
  ASSERT_TRUE(ops.ok()) << ops.status().message();
  const auto graph = IdentityOf({1, 3, 4, 4});
  std::vector<std::string> lines;
  ASSERT_TRUE(InsertAipp(*ops, false, *graph, lines).ok());
  Tensor image = *Tensor::Allocate(ElementType::kU8, {1, 4, 4, 3});
  for (int64_t k = 0; k < 48; ++k) image.mutable_data<uint8_t>()[k] = static_cast<uint8_t>(k);
  const auto results = RunReference(*graph, {image});
  ASSERT_TRUE(results.ok()) << results.status().message();
  const float* y = (*results)[0].data<float>();
  EXPECT_EQ(y[0], -5.0f);
  // Pixel (1, 1) has the bytes 15, 16, 17 and the channels 17, 16, 15.
  EXPECT_EQ(y[5], 17 + 1 - 10.0f);
  EXPECT_EQ(y[16 + 5], 8 + 2 - 20.0f);
  EXPECT_EQ(y[32 + 5], 3 + 3 - 30.0f);
  EXPECT_EQ(y[47], -5.0f);
}

TEST(AippInsert, DynamicAddsAnInputForTheParameters) {
  const auto ops = ParseAippConfig("aipp_op { aipp_mode: dynamic max_src_image_size: 1000 }");
  const auto graph = IdentityOf({2, 3, 2, 2});
  std::vector<std::string> lines;
  ASSERT_TRUE(InsertAipp(*ops, false, *graph, lines).ok());
  ASSERT_EQ(graph->inputs().size(), 2u);
  EXPECT_EQ(graph->inputs()[1]->name(), kParamsName);
  EXPECT_EQ(graph->inputs()[1]->type().ToString(), "u8[256]");
  std::vector<AippFrame> frames(2);
  for (AippFrame& f : frames) {
    f.format = PixelFormat::kRgb888;
    f.src_w = f.src_h = 2;
    f.min = {1, 2, 3, 0};
  }
  frames[1].var_reci = {0.5f, 0.25f, 2, 1};
  Tensor block = *Tensor::Allocate(ElementType::kU8, {256});
  WriteAippBlock(frames, {block.mutable_bytes(), 256});
  Tensor images = *Tensor::Allocate(ElementType::kU8, {1000});
  for (int64_t k = 0; k < 24; ++k) images.mutable_data<uint8_t>()[k] = static_cast<uint8_t>(k);
  const auto results = RunReference(*graph, {images, block});
  ASSERT_TRUE(results.ok()) << results.status().message();
  const float* y = (*results)[0].data<float>();
  EXPECT_EQ(y[0], -1.0f);
  EXPECT_EQ(y[4], 1 - 2.0f);
  EXPECT_EQ(y[12], (12 - 1) * 0.5f);
  EXPECT_EQ(y[20], (14 - 3) * 2.0f);
}

TEST(AippInsert, ChannelsLastInputsAreTransposed) {
  const auto ops = ParseAippConfig("aipp_op { aipp_mode: static input_format: RGB888_U8 }");
  const auto graph = IdentityOf({1, 2, 2, 3});
  std::vector<std::string> lines;
  ASSERT_TRUE(InsertAipp(*ops, true, *graph, lines).ok());
  Tensor image = *Tensor::Allocate(ElementType::kU8, {1, 2, 2, 3});
  for (int64_t k = 0; k < 12; ++k) image.mutable_data<uint8_t>()[k] = static_cast<uint8_t>(k);
  const auto results = RunReference(*graph, {image});
  ASSERT_TRUE(results.ok()) << results.status().message();
  for (int64_t k = 0; k < 12; ++k)
    EXPECT_EQ((*results)[0].data<float>()[k], static_cast<float>(k));
}

}  // namespace
}  // namespace cairn::aipp
