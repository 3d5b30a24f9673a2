// SPDX-License-Identifier: Apache-2.0
// Image pre-processing of loaded models: what the model says, parameters at run time.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "kernels/isa.h"
#include "model_fixture.h"

namespace cairn::testing {
namespace {

constexpr int64_t kSide = 2;

/// Images of RGB888 become f32 [2,3,2,2].
Program ImageProgram(bool dynamic) {
  Program program;
  program.compiler_version = "test";
  program.soc_name = "native";
  program.isa = static_cast<uint8_t>(kernels::Isa::kAvx2);
  program.model_name = "image";
  const std::vector<int64_t> images =
      dynamic ? std::vector<int64_t>{60} : std::vector<int64_t>{2, kSide, kSide, 3};
  const std::vector<int64_t> result = {2, 3, kSide, kSide};
  const uint64_t bytes = dynamic ? 60 : 24;
  program.tensors.push_back(
      {ElementType::kU8, Layout::kPlain, Storage::kInput, 0, 0, bytes, images});
  program.tensors.push_back(
      {ElementType::kF32, Layout::kPlain, Storage::kOutput, 0, 0, 96, result});
  program.inputs.push_back({"data", ElementType::kU8, images, bytes, 0});
  program.outputs.push_back({"y", ElementType::kF32, result, 96, 1});
  Task task;
  task.kernel = "aipp";
  task.op_type = "Aipp";
  task.name = "data_0_aipp";
  task.origins = {task.name};
  task.inputs = {0};
  task.outputs = {1};
  if (dynamic) {
    program.tensors.push_back(
        {ElementType::kU8, Layout::kPlain, Storage::kInput, 1, 0, 256, {256}});
    program.inputs.push_back({ACL_DYNAMIC_AIPP_NAME, ElementType::kU8, {256}, 256, 2});
    task.inputs.push_back(2);
    task.attributes["dynamic"] = int64_t{1};
  } else {
    task.attributes["input_format"] = int64_t{3};
    task.attributes["source"] = std::vector<int64_t>{kSide, kSide};
    task.attributes["rbuv_swap"] = int64_t{1};
    task.attributes["mean"] = std::vector<int64_t>{1, 2, 3, 0};
    task.attributes["var_reci"] = std::vector<double>{0.5, 1, 1, 1};
  }
  program.tasks.push_back(std::move(task));
  return program;
}

class AippModelTest : public ::testing::Test {
 protected:
  void Load(bool dynamic) {
    path_ = std::filesystem::temp_directory_path() / StrCat("cairn_aipp_", getpid(), ".om");
    WriteProgramModel(path_, ImageProgram(dynamic));
    ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclmdlLoadFromFile(path_.c_str(), &model_), ACL_SUCCESS) << ErrorText();
    for (size_t i = 0; i < images_.size(); ++i) images_[i] = static_cast<uint8_t>(i);
  }
  void TearDown() override {
    aclrtResetDeviceForce(0);
    aclFinalize();
    aclGetRecentErrMsg();
    std::filesystem::remove(path_);
  }

  std::filesystem::path path_;
  uint32_t model_ = 0;
  std::vector<uint8_t> images_ = std::vector<uint8_t>(60), block_ = std::vector<uint8_t>(256);
  std::vector<float> y_ = std::vector<float>(24);
};

TEST_F(AippModelTest, StaticParametersAreShown) {
  Load(false);
  aclmdlInputAippType type = ACL_DATA_WITHOUT_AIPP;
  size_t attached = 0;
  ASSERT_EQ(aclmdlGetAippType(model_, 0, &type, &attached), ACL_SUCCESS);
  EXPECT_EQ(type, ACL_DATA_WITH_STATIC_AIPP);
  EXPECT_EQ(attached, ACL_INVALID_NODE_INDEX);
  const auto info = std::make_unique<aclAippInfo>();
  ASSERT_EQ(aclmdlGetFirstAippInfo(model_, 0, info.get()), ACL_SUCCESS) << ErrorText();
  EXPECT_EQ(info->inputFormat, ACL_RGB888_U8);
  EXPECT_EQ(info->srcImageSizeW, 2);
  EXPECT_EQ(info->rbuvSwapSwitch, 1);
  EXPECT_EQ(info->cropSwitch, 0);
  EXPECT_EQ(info->meanChn2, 3);
  EXPECT_EQ(info->varReciChn0, 0.5f);
  EXPECT_EQ(info->varReciChn3, 1.0f);
  EXPECT_EQ(info->outDims[0].srcSize, 24u);
  EXPECT_EQ(info->outDims[0].aippOutdims.dims[1], 3);
  EXPECT_EQ(info->outDims[0].aippOutSize, 96u);
  Buffers in, out;
  in.Add(images_.data(), 24);
  out.Add(y_.data(), 96);
  ASSERT_EQ(aclmdlExecute(model_, in.get(), out.get()), ACL_SUCCESS) << ErrorText();
  EXPECT_EQ(y_[0], (2 - 1) * 0.5f);  // Channel 0 is the last byte of the pixel.
  EXPECT_EQ(y_[4], 1 - 2.0f);
  EXPECT_EQ(aclmdlGetAippType(model_, 1, &type, &attached), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AippModelTest, DynamicParametersAreWrittenAndUsed) {
  Load(true);
  aclmdlInputAippType type = ACL_DATA_WITHOUT_AIPP;
  size_t attached = 0;
  ASSERT_EQ(aclmdlGetAippType(model_, 0, &type, &attached), ACL_SUCCESS);
  EXPECT_EQ(type, ACL_DATA_WITH_DYNAMIC_AIPP);
  EXPECT_EQ(attached, 1u);
  const auto info = std::make_unique<aclAippInfo>();
  EXPECT_EQ(aclmdlGetFirstAippInfo(model_, 0, info.get()), ACL_ERROR_NOT_STATIC_AIPP);
  Buffers in, out;
  in.Add(images_.data(), 60).Add(block_.data(), block_.size());
  out.Add(y_.data(), 96);
  // Nobody has set the parameters yet.
  EXPECT_NE(aclmdlExecute(model_, in.get(), out.get()), ACL_SUCCESS);
  EXPECT_NE(ErrorText().find("aclmdlSetInputAIPP"), std::string::npos);
  aclmdlAIPP* aipp = aclmdlCreateAIPP(2);
  ASSERT_NE(aipp, nullptr);
  ASSERT_EQ(aclmdlSetAIPPInputFormat(aipp, ACL_RGB888_U8), ACL_SUCCESS);
  ASSERT_EQ(aclmdlSetAIPPSrcImageSize(aipp, 3, 3), ACL_SUCCESS);
  ASSERT_EQ(aclmdlSetAIPPCropParams(aipp, 1, 0, 0, 2, 2, 0), ACL_SUCCESS);
  EXPECT_EQ(aclmdlSetInputAIPP(model_, in.get(), 1, aipp), ACL_ERROR_INVALID_PARAM);
  EXPECT_NE(ErrorText().find("image is invalid. Reason: it becomes 3 wide and 3 high"),
            std::string::npos);
  ASSERT_EQ(aclmdlSetAIPPCropParams(aipp, 1, 1, 1, 2, 2, 1), ACL_SUCCESS);
  ASSERT_EQ(aclmdlSetAIPPDtcPixelMean(aipp, 1, 0, 0, 0, 0), ACL_SUCCESS);
  ASSERT_EQ(aclmdlSetAIPPPixelVarReci(aipp, 2, 1, 1, 1, 1), ACL_SUCCESS);
  ASSERT_EQ(aclmdlSetInputAIPP(model_, in.get(), 1, aipp), ACL_SUCCESS) << ErrorText();
  ASSERT_EQ(aclmdlExecute(model_, in.get(), out.get()), ACL_SUCCESS) << ErrorText();
  EXPECT_EQ(y_[0], -1.0f);                // Byte 0 less the mean.
  EXPECT_EQ(y_[12], (27 + 12) * 2.0f);    // Pixel (1, 1) of the second image.
  EXPECT_EQ(aclmdlSetInputAIPP(model_, in.get(), 0, aipp), ACL_ERROR_GE_AIPP_NOT_EXIST);
  EXPECT_EQ(aclmdlSetAIPPByInputIndex(model_, in.get(), 0, aipp), ACL_SUCCESS);
  EXPECT_EQ(aclmdlDestroyAIPP(aipp), ACL_SUCCESS);
}

TEST(AippParameters, RangesAreChecked) {
  EXPECT_EQ(aclmdlCreateAIPP(0), nullptr);
  size_t size = 0;
  EXPECT_EQ(aclmdlGetAippDataSize(4, &size), ACL_SUCCESS);
  EXPECT_EQ(size, 64u + 4 * 96);
  aclmdlAIPP* aipp = aclmdlCreateAIPP(1);
  EXPECT_EQ(aclmdlSetAIPPPaddingParams(aipp, 1, 33, 0, 0, 0, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_NE(ErrorText().find("paddingSizeTop is invalid. Reason: it must be in [0, 32]"),
            std::string::npos);
  EXPECT_EQ(aclmdlSetAIPPCropParams(aipp, 1, 0, 0, 0, 1, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlSetAIPPCropParams(aipp, 0, 0, 0, 0, 0, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlSetAIPPScfParams(aipp, 1, 4, 4, 8, 8, 0), ACL_ERROR_FEATURE_UNSUPPORTED);
  EXPECT_EQ(aclmdlSetAIPPScfParams(aipp, 0, 0, 0, 0, 0, 0), ACL_SUCCESS);
  EXPECT_EQ(aclmdlSetAIPPInputFormat(aipp, ACL_YUYV_U8), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlDestroyAIPP(aipp), ACL_SUCCESS);
  ErrorText();
}

}  // namespace
}  // namespace cairn::testing
