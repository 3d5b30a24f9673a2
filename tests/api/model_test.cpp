// SPDX-License-Identifier: Apache-2.0
// Models: load, describe, execute; sizes that are refused and those that are tolerated.
#include <fstream>
#include <iterator>
#include <thread>

#include "model_fixture.h"

namespace cairn::testing {
namespace {

std::vector<char> ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

using AclModel = CopyModelTest;

TEST_F(AclModel, ExecutesOnBuffersOfTheUser) {
  Buffers inputs, outputs;
  inputs.Add(x_.data(), kBytes);
  outputs.Add(y_.data(), kBytes);
  ASSERT_EQ(aclmdlExecute(model_, inputs.get(), outputs.get()), ACL_SUCCESS) << ErrorText();
  EXPECT_TRUE(std::equal(y_.begin(), y_.end(), x_.begin()));
}

TEST_F(AclModel, DescriptionHasNamesTypesDimsAndSizes) {
  aclmdlDesc* desc = aclmdlCreateDesc();
  ASSERT_EQ(aclmdlGetDesc(desc, model_), ACL_SUCCESS);
  EXPECT_EQ(aclmdlGetNumInputs(desc), 1u);
  EXPECT_EQ(aclmdlGetNumOutputs(desc), 1u);
  EXPECT_EQ(aclmdlGetInputSizeByIndex(desc, 0), kBytes);
  EXPECT_EQ(aclmdlGetOutputSizeByIndex(desc, 1), 0u);
  EXPECT_STREQ(aclmdlGetInputNameByIndex(desc, 0), "x");
  EXPECT_STREQ(aclmdlGetOutputNameByIndex(desc, 7), "");
  EXPECT_EQ(aclmdlGetInputDataType(desc, 0), ACL_FLOAT);
  EXPECT_EQ(aclmdlGetOutputDataType(desc, 9), ACL_DT_UNDEFINED);
  EXPECT_EQ(aclmdlGetOutputFormat(desc, 0), ACL_FORMAT_ND);
  aclmdlIODims dims;
  ASSERT_EQ(aclmdlGetInputDims(desc, 0, &dims), ACL_SUCCESS);
  EXPECT_STREQ(dims.name, "x");
  ASSERT_EQ(dims.dimCount, 2u);
  EXPECT_EQ(dims.dims[1], 40);
  EXPECT_EQ(aclmdlGetOutputDims(desc, 1, &dims), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlGetCurOutputDims(desc, 0, &dims), ACL_SUCCESS);
  size_t index = 99;
  EXPECT_EQ(aclmdlGetInputIndexByName(desc, "x", &index), ACL_SUCCESS);
  EXPECT_EQ(index, 0u);
  EXPECT_EQ(aclmdlGetInputIndexByName(desc, ACL_DYNAMIC_TENSOR_NAME, &index),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(index, 0u);
  aclmdlBatch batch;
  EXPECT_EQ(aclmdlGetDynamicBatch(desc, &batch), ACL_SUCCESS);
  EXPECT_EQ(batch.batchCount, 0u);
  aclmdlHW hw;
  EXPECT_EQ(aclmdlGetDynamicHW(desc, static_cast<size_t>(-1), &hw), ACL_SUCCESS);
  EXPECT_EQ(hw.hwCount, 0u);
  size_t gears = 9;
  EXPECT_EQ(aclmdlGetInputDynamicGearCount(desc, static_cast<size_t>(-1), &gears), ACL_SUCCESS);
  EXPECT_EQ(gears, 0u);

  ASSERT_EQ(aclmdlUnload(model_), ACL_SUCCESS);
  EXPECT_EQ(aclmdlGetInputSizeByIndex(desc, 0), kBytes);  // Readable after unload.
  EXPECT_EQ(aclmdlGetCurOutputDims(desc, 0, &dims), ACL_ERROR_GE_EXEC_MODEL_ID_INVALID);
  EXPECT_EQ(aclmdlDestroyDesc(desc), ACL_SUCCESS);
  EXPECT_EQ(aclmdlDestroyDesc(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclModel, UnloadedAndUnknownModelsAreRefused) {
  EXPECT_EQ(aclmdlUnload(model_), ACL_SUCCESS);
  EXPECT_EQ(aclmdlUnload(model_), ACL_ERROR_GE_EXEC_MODEL_ID_INVALID);
  Buffers inputs, outputs;
  EXPECT_EQ(aclmdlExecute(model_, inputs.get(), outputs.get()), ACL_ERROR_GE_EXEC_MODEL_ID_INVALID);
  EXPECT_NE(ErrorText().find(StrCat("model ", model_, " is not loaded")), std::string::npos);
  EXPECT_EQ(aclmdlExecute(model_, nullptr, outputs.get()), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclModel, InputSizesAreJudged) {
  struct Case {
    size_t bytes;
    aclError result;
    const char* text;
  };
  const Case cases[] = {
      {kBytes, ACL_SUCCESS, ""},
      {kBytes - 1, ACL_SUCCESS, ""},
      {kBytes - 64, ACL_SUCCESS, ""},
      {kBytes + 1, ACL_SUCCESS, ""},
      {kBytes - 65, ACL_ERROR_GE_PARAM_INVALID,
       "the buffer has 255 bytes; the data belong to another"},
      {kBytes / 2, ACL_ERROR_GE_PARAM_INVALID, "the data are probably 16-bit floats"},
      {kBytes / 4, ACL_ERROR_GE_PARAM_INVALID, "the data are probably 8-bit pixels"},
      {kBytes * 2, ACL_ERROR_GE_PARAM_INVALID, "the data are probably 64-bit floats"},
      {0, ACL_ERROR_GE_PARAM_INVALID, "the buffer has 0 bytes"},
  };
  for (const Case& c : cases) {
    Buffers inputs, outputs;
    inputs.Add(x_.data(), c.bytes);
    outputs.Add(y_.data(), kBytes);
    std::fill(y_.begin(), y_.end(), -1.0f);
    EXPECT_EQ(aclmdlExecute(model_, inputs.get(), outputs.get()), c.result) << c.bytes;
    const std::string text = ErrorText();
    if (c.result == ACL_SUCCESS) {
      EXPECT_EQ(text, "") << c.bytes;
      EXPECT_EQ(y_[0], 0.5f);
      continue;
    }
    EXPECT_NE(text.find("input 0 'x' (f32 [2,40], 320 bytes)"), std::string::npos) << text;
    EXPECT_NE(text.find(c.text), std::string::npos) << text;
    EXPECT_EQ(y_[0], -1.0f) << "a refused run must not write";
  }
}

TEST_F(AclModel, MissingBytesOfAShortInputReadAsZero) {
  Buffers inputs, outputs;
  inputs.Add(x_.data(), kBytes - 4);
  outputs.Add(y_.data(), kBytes);
  ASSERT_EQ(aclmdlExecute(model_, inputs.get(), outputs.get()), ACL_SUCCESS);
  EXPECT_EQ(y_[kCount - 2], x_[kCount - 2]);
  EXPECT_EQ(y_[kCount - 1], 0.0f);
}

TEST_F(AclModel, CountsAndOutputSizesAreChecked) {
  Buffers none, inputs, outputs, small;
  inputs.Add(x_.data(), kBytes);
  outputs.Add(y_.data(), kBytes);
  small.Add(y_.data(), kBytes - 1);
  EXPECT_EQ(aclmdlExecute(model_, none.get(), outputs.get()), ACL_ERROR_GE_PARAM_INVALID);
  EXPECT_NE(ErrorText().find("the dataset has 0 input buffers, the model has 1: input 0 'x'"),
            std::string::npos);
  EXPECT_EQ(aclmdlExecute(model_, inputs.get(), none.get()), ACL_ERROR_GE_PARAM_INVALID);
  EXPECT_EQ(aclmdlExecute(model_, inputs.get(), small.get()), ACL_ERROR_GE_PARAM_INVALID);
}

TEST_F(AclModel, EmptyOutputBufferIsAllocated) {
  Buffers inputs, outputs;
  inputs.Add(x_.data(), kBytes);
  outputs.Add(nullptr, 0);
  ASSERT_EQ(aclmdlExecute(model_, inputs.get(), outputs.get()), ACL_SUCCESS);
  aclDataBuffer* buffer = aclmdlGetDatasetBuffer(outputs.get(), 0);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), kBytes);
  auto* data = static_cast<float*>(aclGetDataBufferAddr(buffer));
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(data[kCount - 1], x_[kCount - 1]);
  EXPECT_EQ(aclrtFree(data), ACL_SUCCESS);
}

TEST_F(AclModel, AsyncRunsFailAtSynchronisation) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  Buffers inputs, outputs, wrong;
  inputs.Add(x_.data(), kBytes);
  outputs.Add(y_.data(), kBytes);
  wrong.Add(x_.data(), kBytes / 2);
  ASSERT_EQ(aclmdlExecuteAsync(model_, inputs.get(), outputs.get(), stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(y_[1], 1.5f);
  ASSERT_EQ(aclmdlExecuteAsync(model_, wrong.get(), outputs.get(), stream), ACL_SUCCESS);
  EXPECT_NE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_NE(ErrorText().find("16-bit floats"), std::string::npos);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
}

TEST_F(AclModel, LoadsFromMemoryAndWithMemoryOfTheUser) {
  std::vector<char> bytes = ReadFile(path_);
  size_t work_bytes = 0, weight_bytes = 0;
  ASSERT_EQ(aclmdlQuerySize(path_.c_str(), &work_bytes, &weight_bytes), ACL_SUCCESS);
  EXPECT_GE(work_bytes, kBytes);
  EXPECT_GT(weight_bytes, 0u);
  void* work = nullptr;
  void* weights = nullptr;
  ASSERT_EQ(aclrtMalloc(&work, work_bytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMalloc(&weights, weight_bytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  uint32_t with_memory = 0, from_memory = 0;
  EXPECT_EQ(aclmdlLoadFromFileWithMem(path_.c_str(), &with_memory, work, kBytes / 2, weights,
                                      weight_bytes),
            ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclmdlLoadFromFileWithMem(path_.c_str(), &with_memory, work, work_bytes, weights,
                                      weight_bytes),
            ACL_SUCCESS)
      << ErrorText();
  ASSERT_EQ(aclmdlLoadFromMem(bytes.data(), bytes.size(), &from_memory), ACL_SUCCESS);
  std::fill(bytes.begin(), bytes.end(), '\0');
  for (const uint32_t id : {with_memory, from_memory}) {
    Buffers inputs, outputs;
    inputs.Add(x_.data(), kBytes);
    outputs.Add(y_.data(), kBytes);
    std::fill(y_.begin(), y_.end(), 0.0f);
    ASSERT_EQ(aclmdlExecute(id, inputs.get(), outputs.get()), ACL_SUCCESS) << ErrorText();
    EXPECT_EQ(y_[kCount - 1], x_[kCount - 1]);
    EXPECT_EQ(aclmdlUnload(id), ACL_SUCCESS);
  }
  EXPECT_EQ(aclmdlLoadFromMem(bytes.data(), 0, &from_memory), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFree(work), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(weights), ACL_SUCCESS);
}

TEST_F(AclModel, LoadsByConfiguration) {
  aclmdlConfigHandle* handle = aclmdlCreateConfigHandle();
  uint32_t id = 0;
  EXPECT_EQ(aclmdlLoadWithConfig(handle, &id), ACL_ERROR_INVALID_PARAM);
  const size_t type = ACL_MDL_LOAD_FROM_FILE;
  const std::string path = path_.string();
  const char* text = path.c_str();
  EXPECT_EQ(aclmdlSetConfigOpt(handle, ACL_MDL_LOAD_TYPE_SIZET, &type, sizeof(int32_t)),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlSetConfigOpt(handle, ACL_MDL_LOAD_TYPE_SIZET, &type, sizeof(type)), ACL_SUCCESS);
  EXPECT_EQ(aclmdlSetConfigOpt(handle, ACL_MDL_PATH_PTR, &text, sizeof(text)), ACL_SUCCESS);
  EXPECT_EQ(aclmdlLoadWithConfig(handle, &id), ACL_SUCCESS) << ErrorText();
  EXPECT_EQ(aclmdlUnload(id), ACL_SUCCESS);
  EXPECT_EQ(aclmdlDestroyConfigHandle(handle), ACL_SUCCESS);
}

TEST_F(AclModel, FilesThatAreNoModelAreExplained) {
  uint32_t id = 77;
  EXPECT_EQ(aclmdlLoadFromFile("/nonexistent.om", &id), ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID);
  EXPECT_NE(ErrorText().find("/nonexistent.om"), std::string::npos);
  const auto write = [&](const std::string& content) {
    std::ofstream(path_, std::ios::binary) << content;
  };
  const std::vector<char> good = ReadFile(path_);
  write("");
  EXPECT_EQ(aclmdlLoadFromFile(path_.c_str(), &id), ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID);
  write(std::string(good.data(), good.size() / 2));
  EXPECT_EQ(aclmdlLoadFromFile(path_.c_str(), &id), ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID);
  write(std::string("\x08\x07\x12\x04test:graph", 15));
  EXPECT_EQ(aclmdlLoadFromFile(path_.c_str(), &id), ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID);
  EXPECT_NE(ErrorText().find("looks like an ONNX model"), std::string::npos);
  EXPECT_EQ(id, 77u);
}

TEST_F(AclModel, StaticModelHasNoGears) {
  Buffers inputs;
  inputs.Add(x_.data(), kBytes);
  EXPECT_EQ(aclmdlSetDynamicBatchSize(model_, inputs.get(), 0, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlSetDynamicBatchSize(model_, inputs.get(), 1, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlSetDynamicBatchSize(model_, inputs.get(), 0, 2),
            ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID);
  EXPECT_NE(ErrorText().find("--dynamic_batch_size"), std::string::npos);
}

TEST_F(AclModel, ThreadsShareAModel) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
      std::vector<float> x(kCount, static_cast<float>(t)), y(kCount);
      Buffers inputs, outputs;
      inputs.Add(x.data(), kBytes);
      outputs.Add(y.data(), kBytes);
      for (int run = 0; run < 50; ++run) {
        ASSERT_EQ(aclmdlExecute(model_, inputs.get(), outputs.get()), ACL_SUCCESS);
        ASSERT_EQ(y, x);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace cairn::testing
