// SPDX-License-Identifier: Apache-2.0
// The usual sequence of AscendCL: init, device, load, describe, datasets, execute, copy back.
#include "ocr/acl_model.h"

#include <chrono>

namespace ocr {
namespace {

constexpr int32_t kDevice = 0;

}  // namespace

Status AclFailure(const std::string& what) {
  const char* text = aclGetRecentErrMsg();
  return Status(Code::kFailedPrecondition, StrCat(what, ": ", text != nullptr ? text : "failed"));
}

Result<std::unique_ptr<AclProcess>> AclProcess::Open() {
  std::unique_ptr<AclProcess> process(new AclProcess);
  if (aclInit(nullptr) != ACL_SUCCESS) return AclFailure("aclInit");
  if (aclrtSetDevice(kDevice) != ACL_SUCCESS) return AclFailure("aclrtSetDevice");
  return process;
}

AclProcess::~AclProcess() {
  aclrtResetDevice(kDevice);
  aclFinalize();
}

Result<std::unique_ptr<AclModel>> AclModel::Load(const std::string& path) {
  std::unique_ptr<AclModel> model(new AclModel);
  if (aclmdlLoadFromFile(path.c_str(), &model->id_) != ACL_SUCCESS) return AclFailure("loading");
  model->loaded_ = true;
  RETURN_IF_ERROR(model->Describe(path));
  RETURN_IF_ERROR(model->AllocateBuffers());
  return model;
}

Status AclModel::Describe(const std::string& path) {
  aclmdlDesc* desc = aclmdlCreateDesc();
  const bool described = desc != nullptr && aclmdlGetDesc(desc, id_) == ACL_SUCCESS;
  aclmdlIODims input{}, output{};
  const bool usable = described && aclmdlGetNumInputs(desc) == 1 &&
                      aclmdlGetNumOutputs(desc) == 1 &&
                      aclmdlGetInputDataType(desc, 0) == ACL_FLOAT &&
                      aclmdlGetOutputDataType(desc, 0) == ACL_FLOAT &&
                      aclmdlGetInputDims(desc, 0, &input) == ACL_SUCCESS &&
                      aclmdlGetOutputDims(desc, 0, &output) == ACL_SUCCESS && input.dimCount == 4 &&
                      input.dims[0] == 1 && input.dims[1] == 3;
  if (usable) {
    height_ = static_cast<int>(input.dims[2]);
    width_ = static_cast<int>(input.dims[3]);
    output_dims_.assign(output.dims, output.dims + output.dimCount);
    input_bytes_ = aclmdlGetInputSizeByIndex(desc, 0);
    output_bytes_ = aclmdlGetOutputSizeByIndex(desc, 0);
  }
  if (desc != nullptr) aclmdlDestroyDesc(desc);
  if (usable) return cairn::OkStatus();
  return Status(Code::kInvalidArgument,
                StrCat(path, ": expected one f32 input [1,3,H,W] and one f32 output"));
}

Status AclModel::AllocateBuffers() {
  if (aclrtMalloc(&input_memory_, input_bytes_, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS ||
      aclrtMalloc(&output_memory_, output_bytes_, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS)
    return AclFailure("aclrtMalloc");
  input_buffer_ = aclCreateDataBuffer(input_memory_, input_bytes_);
  output_buffer_ = aclCreateDataBuffer(output_memory_, output_bytes_);
  inputs_ = aclmdlCreateDataset();
  outputs_ = aclmdlCreateDataset();
  if (aclmdlAddDatasetBuffer(inputs_, input_buffer_) != ACL_SUCCESS ||
      aclmdlAddDatasetBuffer(outputs_, output_buffer_) != ACL_SUCCESS)
    return AclFailure("aclmdlAddDatasetBuffer");
  result_.resize(output_bytes_ / sizeof(float));
  return cairn::OkStatus();
}

AclModel::~AclModel() {
  if (inputs_ != nullptr) aclmdlDestroyDataset(inputs_);
  if (outputs_ != nullptr) aclmdlDestroyDataset(outputs_);
  if (input_buffer_ != nullptr) aclDestroyDataBuffer(input_buffer_);
  if (output_buffer_ != nullptr) aclDestroyDataBuffer(output_buffer_);
  if (input_memory_ != nullptr) aclrtFree(input_memory_);
  if (output_memory_ != nullptr) aclrtFree(output_memory_);
  if (loaded_) aclmdlUnload(id_);
}

Result<std::span<const float>> AclModel::Run(std::span<const float> input) {
  if (aclrtMemcpy(input_memory_, input_bytes_, input.data(), input.size_bytes(),
                  ACL_MEMCPY_HOST_TO_DEVICE) != ACL_SUCCESS)
    return AclFailure("aclrtMemcpy");
  const auto start = std::chrono::steady_clock::now();
  if (aclmdlExecute(id_, inputs_, outputs_) != ACL_SUCCESS) return AclFailure("aclmdlExecute");
  last_ms_ =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (aclrtMemcpy(result_.data(), output_bytes_, output_memory_, output_bytes_,
                  ACL_MEMCPY_DEVICE_TO_HOST) != ACL_SUCCESS)
    return AclFailure("aclrtMemcpy");
  return std::span<const float>(result_);
}

}  // namespace ocr
