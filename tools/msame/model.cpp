// SPDX-License-Identifier: Apache-2.0
// Loading and describing a model.
#include "msame/model.h"

#include <cstring>

#include "msame/console.h"

namespace msame {
namespace {

void PrintTensor(const char* kind, size_t index, size_t bytes, const aclmdlIODims& dims,
                 const char* name, aclFormat format, aclDataType type) {
  DEBUG_LOG("the size of %zu %s: %zu", index, kind, bytes);
  DEBUG_LOG("the dims of %zu %s:", index, kind);
  for (size_t i = 0; i < dims.dimCount; ++i)
    std::printf("%lld ", static_cast<long long>(dims.dims[i]));
  std::printf("\n");
  DEBUG_LOG("the name of %zu %s: %s", index, kind, name);
  DEBUG_LOG("the Format of %zu %s: %d", index, kind, static_cast<int>(format));
  DEBUG_LOG("the DataType of %zu %s: %d", index, kind, static_cast<int>(type));
}

void PrintGears(const aclmdlDesc* desc) {
  aclmdlBatch batch{};
  if (aclmdlGetDynamicBatch(desc, &batch) == ACL_SUCCESS && batch.batchCount > 0) {
    DEBUG_LOG("DynamicBatch:");
    for (size_t i = 0; i < batch.batchCount; ++i)
      std::printf("%llu ", static_cast<unsigned long long>(batch.batch[i]));
    std::printf("\n");
  }
  aclmdlHW sizes{};
  if (aclmdlGetDynamicHW(desc, static_cast<size_t>(-1), &sizes) == ACL_SUCCESS &&
      sizes.hwCount > 0) {
    DEBUG_LOG("DynamicHW:");
    for (size_t i = 0; i < sizes.hwCount; ++i)
      std::printf("%llu,%llu ", static_cast<unsigned long long>(sizes.hw[i][0]),
                  static_cast<unsigned long long>(sizes.hw[i][1]));
    std::printf("\n");
  }
}

}  // namespace

bool Model::Load(const std::string& path) {
  if (aclmdlLoadFromFile(path.c_str(), &id_) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("load model from file failed, model file is %s", path.c_str());
    ERROR_LOG("load model from file failed");
    return false;
  }
  loaded_ = true;
  INFO_LOG("load model %s success", path.c_str());
  desc_ = aclmdlCreateDesc();
  if (desc_ == nullptr || aclmdlGetDesc(desc_, id_) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("create model description failed");
    return false;
  }
  INFO_LOG("create model description success");
  return true;
}

Model::~Model() {
  if (!loaded_) {
    WARN_LOG("no model had been loaded, unload failed");
    return;
  }
  if (aclmdlUnload(id_) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("unload model failed, modelId is %u", id_);
  } else {
    INFO_LOG("unload model success, model Id is %u", id_);
  }
  if (desc_ != nullptr) aclmdlDestroyDesc(desc_);
}

std::optional<size_t> Model::FindGearInput() const {
  // Not aclmdlGetInputIndexByName: a model without this input is no error for the log.
  for (size_t i = 0; i < num_inputs(); ++i) {
    const char* name = aclmdlGetInputNameByIndex(desc_, i);
    if (name != nullptr && std::strcmp(name, ACL_DYNAMIC_TENSOR_NAME) == 0) return i;
  }
  return std::nullopt;
}

void Model::PrintDescription() const {
  DEBUG_LOG("start print model description");
  DEBUG_LOG("NumInputs: %zu", num_inputs());
  DEBUG_LOG("NumOutputs: %zu", num_outputs());
  aclmdlIODims dims;
  for (size_t i = 0; i < num_inputs(); ++i) {
    if (aclmdlGetInputDims(desc_, i, &dims) != ACL_SUCCESS) dims.dimCount = 0;
    PrintTensor("input", i, aclmdlGetInputSizeByIndex(desc_, i), dims,
                aclmdlGetInputNameByIndex(desc_, i), aclmdlGetInputFormat(desc_, i),
                aclmdlGetInputDataType(desc_, i));
  }
  for (size_t i = 0; i < num_outputs(); ++i) {
    if (aclmdlGetOutputDims(desc_, i, &dims) != ACL_SUCCESS) dims.dimCount = 0;
    PrintTensor("output", i, aclmdlGetOutputSizeByIndex(desc_, i), dims,
                aclmdlGetOutputNameByIndex(desc_, i), aclmdlGetOutputFormat(desc_, i),
                aclmdlGetOutputDataType(desc_, i));
  }
  PrintGears(desc_);
  DEBUG_LOG("end print model description");
}

}  // namespace msame
