// SPDX-License-Identifier: Apache-2.0
// Loading, filling and running through AscendCL.
#include "bench/session.h"

#include <chrono>
#include <cstring>
#include <fstream>

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::string AclError(const std::string& what) {
  const char* text = aclGetRecentErrMsg();
  return what + " failed: " + (text != nullptr ? text : "no message");
}

/// Values in [-1, 1) for floats, small whole numbers for integers; the same in every run.
void FillPattern(aclDataType type, void* address, size_t bytes) {
  uint32_t state = 1;
  const auto next = [&state] { return (state = state * 1664525u + 1013904223u) >> 8; };
  if (type == ACL_FLOAT) {
    auto* values = static_cast<float*>(address);
    for (size_t i = 0; i < bytes / sizeof(float); ++i)
      values[i] = static_cast<float>(next()) / static_cast<float>(1 << 23) - 1.0f;
  } else if (type == ACL_FLOAT16) {
    auto* values = static_cast<aclFloat16*>(address);
    for (size_t i = 0; i < bytes / sizeof(aclFloat16); ++i)
      values[i] =
          aclFloatToFloat16(static_cast<float>(next()) / static_cast<float>(1 << 23) - 1.0f);
  } else {
    const size_t element = aclDataTypeSize(type) > 0 ? aclDataTypeSize(type) : 1;
    std::memset(address, 0, bytes);
    for (size_t i = 0; i + element <= bytes; i += element)
      static_cast<char*>(address)[i] = static_cast<char>(next() % 2);
  }
}

}  // namespace

Session::~Session() {
  for (aclmdlDataset* dataset : {inputs_, outputs_}) {
    if (dataset == nullptr) continue;
    for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(dataset); ++i) {
      aclDataBuffer* buffer = aclmdlGetDatasetBuffer(dataset, i);
      aclrtFree(aclGetDataBufferAddr(buffer));
      aclDestroyDataBuffer(buffer);
    }
    aclmdlDestroyDataset(dataset);
  }
  if (desc_ != nullptr) {
    aclmdlDestroyDesc(desc_);
    aclmdlUnload(model_);
  }
}

std::string Library::Open() {
  return aclInit(nullptr) == ACL_SUCCESS ? "" : AclError("initialisation");
}

int64_t Session::batch() const {
  aclmdlIODims dims{};
  if (aclmdlGetNumInputs(desc_) == 0 || aclmdlGetInputDims(desc_, 0, &dims) != ACL_SUCCESS)
    return 1;
  return dims.dimCount > 0 && dims.dims[0] > 0 ? dims.dims[0] : 1;
}

std::string Session::AddBuffer(aclmdlDataset* dataset, size_t bytes, void** address) {
  if (aclrtMalloc(address, bytes, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS ||
      aclmdlAddDatasetBuffer(dataset, aclCreateDataBuffer(*address, bytes)) != ACL_SUCCESS)
    return AclError("allocation");
  return "";
}

std::string Session::FillInput(size_t index, const std::vector<std::string>& files, void* address,
                               size_t bytes) {
  if (files.empty()) {
    FillPattern(aclmdlGetInputDataType(desc_, index), address, bytes);
    return "";
  }
  std::ifstream file(files[index], std::ios::binary);
  file.read(static_cast<char*>(address), static_cast<std::streamsize>(bytes));
  const bool fits = file.gcount() == static_cast<std::streamsize>(bytes) && file.peek() == EOF;
  return fits ? "" : files[index] + ": expected " + std::to_string(bytes) + " bytes";
}

std::string Session::Open(const std::string& model, int device,
                          const std::vector<std::string>& files) {
  if (aclrtSetDevice(device) != ACL_SUCCESS) return AclError("choosing the device");
  const Clock::time_point start = Clock::now();
  if (aclmdlLoadFromFile(model.c_str(), &model_) != ACL_SUCCESS) return AclError("loading");
  load_ms_ = MillisecondsSince(start);
  desc_ = aclmdlCreateDesc();
  if (aclmdlGetDesc(desc_, model_) != ACL_SUCCESS) return AclError("description");
  const size_t num_inputs = aclmdlGetNumInputs(desc_);
  if (!files.empty() && files.size() != num_inputs)
    return "the model has " + std::to_string(num_inputs) + " inputs, got " +
           std::to_string(files.size()) + " files";
  inputs_ = aclmdlCreateDataset();
  outputs_ = aclmdlCreateDataset();
  void* address = nullptr;
  for (size_t i = 0; i < num_inputs; ++i) {
    const size_t bytes = aclmdlGetInputSizeByIndex(desc_, i);
    if (std::string error = AddBuffer(inputs_, bytes, &address); !error.empty()) return error;
    if (std::string error = FillInput(i, files, address, bytes); !error.empty()) return error;
  }
  for (size_t i = 0; i < aclmdlGetNumOutputs(desc_); ++i) {
    const size_t bytes = aclmdlGetOutputSizeByIndex(desc_, i);
    if (std::string error = AddBuffer(outputs_, bytes, &address); !error.empty()) return error;
  }
  return "";
}

std::string Session::Run(double* ms) {
  const Clock::time_point start = Clock::now();
  if (aclmdlExecute(model_, inputs_, outputs_) != ACL_SUCCESS) return AclError("execution");
  *ms = MillisecondsSince(start);
  return "";
}

}  // namespace bench
