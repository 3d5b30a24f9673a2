// SPDX-License-Identifier: Apache-2.0
// Loading, datasets and execution by the C API.
#include "conformance/offline_model.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "acl/acl.h"

namespace cairn::testing {
namespace {

/// Element types by the C API's numbers, for outputs.
struct TypeNumber {
  aclDataType number;
  ElementType type;
};
constexpr TypeNumber kTypes[] = {
    {ACL_FLOAT, ElementType::kF32},      {ACL_FLOAT16, ElementType::kF16},
    {ACL_BF16, ElementType::kBf16},      {ACL_DOUBLE, ElementType::kF64},
    {ACL_INT8, ElementType::kI8},        {ACL_UINT8, ElementType::kU8},
    {ACL_INT16, ElementType::kI16},      {ACL_UINT16, ElementType::kU16},
    {ACL_INT32, ElementType::kI32},      {ACL_UINT32, ElementType::kU32},
    {ACL_INT64, ElementType::kI64},      {ACL_UINT64, ElementType::kU64},
    {ACL_BOOL, ElementType::kBool},      {ACL_COMPLEX64, ElementType::kC64},
    {ACL_COMPLEX128, ElementType::kC128},
};

Status AclFailure(const char* call) {
  const char* message = aclGetRecentErrMsg();
  return Status(Code::kInternal, StrCat(call, ": ", message ? message : "no message"));
}

/// A dataset and the memory behind it.
class Dataset {
 public:
  Dataset() : dataset_(aclmdlCreateDataset()) {}
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;
  ~Dataset() {
    for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(dataset_); ++i) {
      aclDestroyDataBuffer(aclmdlGetDatasetBuffer(dataset_, i));
    }
    aclmdlDestroyDataset(dataset_);
    for (void* memory : memory_) aclrtFree(memory);
  }

  aclmdlDataset* get() { return dataset_; }
  const std::byte* data(size_t i) const { return static_cast<const std::byte*>(memory_[i]); }

  Status Add(size_t bytes, const void* content) {
    void* memory = nullptr;
    // Sizes of 0 need an address too.
    if (aclrtMalloc(&memory, std::max<size_t>(bytes, 1), ACL_MEM_MALLOC_NORMAL_ONLY) !=
        ACL_SUCCESS) {
      return AclFailure("aclrtMalloc");
    }
    memory_.push_back(memory);
    if (content && bytes > 0) {
      std::memcpy(memory, content, bytes);
    } else {
      std::memset(memory, 0xA5, std::max<size_t>(bytes, 1));
    }
    aclDataBuffer* buffer = aclCreateDataBuffer(memory, bytes);
    if (!buffer || aclmdlAddDatasetBuffer(dataset_, buffer) != ACL_SUCCESS) {
      return AclFailure("aclmdlAddDatasetBuffer");
    }
    return OkStatus();
  }

 private:
  aclmdlDataset* dataset_;
  std::vector<void*> memory_;
};

/// Unloads when the run is over.
class LoadedModel {
 public:
  LoadedModel() : desc_(aclmdlCreateDesc()) {}
  LoadedModel(const LoadedModel&) = delete;
  LoadedModel& operator=(const LoadedModel&) = delete;
  ~LoadedModel() {
    aclmdlDestroyDesc(desc_);
    if (loaded_) aclmdlUnload(id_);
  }
  Status Load(const std::string& path) {
    if (aclmdlLoadFromFile(path.c_str(), &id_) != ACL_SUCCESS) return AclFailure("aclmdlLoad");
    loaded_ = true;
    return aclmdlGetDesc(desc_, id_) == ACL_SUCCESS ? OkStatus() : AclFailure("aclmdlGetDesc");
  }
  uint32_t id() const { return id_; }
  aclmdlDesc* desc() const { return desc_; }

 private:
  aclmdlDesc* desc_;
  uint32_t id_ = 0;
  bool loaded_ = false;
};

/// The shape of output `i`: what the run left in the dataset, else what the model says.
Result<Shape> OutputShape(const LoadedModel& model, Dataset& outputs, size_t i) {
  Shape shape;
  if (const aclTensorDesc* desc = aclmdlGetDatasetTensorDesc(outputs.get(), i)) {
    for (size_t d = 0; d < aclGetTensorDescNumDims(desc); ++d) {
      int64_t dim = 0;
      if (aclGetTensorDescDimV2(desc, d, &dim) != ACL_SUCCESS) return AclFailure("desc");
      shape.push_back(dim);
    }
    return shape;
  }
  aclmdlIODims dims;
  if (aclmdlGetOutputDims(model.desc(), i, &dims) != ACL_SUCCESS) return AclFailure("output dims");
  shape.assign(dims.dims, dims.dims + dims.dimCount);
  return shape;
}

Result<Tensor> ReadOutput(const LoadedModel& model, Dataset& outputs, size_t i,
                          ElementType expected) {
  ASSIGN_OR_RETURN(Shape shape, OutputShape(model, outputs, i));
  const aclDataType number = aclmdlGetOutputDataType(model.desc(), i);
  const auto* entry = std::find_if(std::begin(kTypes), std::end(kTypes),
                                   [&](const TypeNumber& t) { return t.number == number; });
  // The C API has no number for the 8-bit floats and smaller: their bytes are taken as expected.
  const ElementType dtype = entry == std::end(kTypes) ? expected : entry->type;
  ASSIGN_OR_RETURN(Tensor tensor, Tensor::Allocate(dtype, std::move(shape)));
  const aclDataBuffer* buffer = aclmdlGetDatasetBuffer(outputs.get(), i);
  const void* data = aclGetDataBufferAddr(buffer);
  if (tensor.num_bytes() > aclGetDataBufferSizeV2(buffer)) {
    return Status(Code::kInternal, StrCat("output ", i, " ", tensor.TypeToString(),
                                          " is larger than its buffer"));
  }
  if (tensor.num_bytes() > 0) std::memcpy(tensor.mutable_bytes(), data, tensor.num_bytes());
  return tensor;
}

}  // namespace

Result<std::vector<Tensor>> RunOfflineModel(const std::string& path,
                                            const std::vector<Tensor>& inputs,
                                            const std::vector<Tensor>& expected) {
  LoadedModel model;
  RETURN_IF_ERROR(model.Load(path));
  Dataset in, out;
  for (const Tensor& input : inputs) RETURN_IF_ERROR(in.Add(input.num_bytes(), input.bytes()));
  const size_t count = aclmdlGetNumOutputs(model.desc());
  for (size_t i = 0; i < count; ++i) {
    size_t bytes = aclmdlGetOutputSizeByIndex(model.desc(), i);
    if (bytes == 0 && i < expected.size()) bytes = expected[i].num_bytes();
    RETURN_IF_ERROR(out.Add(bytes, nullptr));
  }
  if (aclmdlExecute(model.id(), in.get(), out.get()) != ACL_SUCCESS) {
    return AclFailure("aclmdlExecute");
  }
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < count; ++i) {
    const ElementType type = i < expected.size() ? expected[i].dtype() : ElementType::kUndefined;
    ASSIGN_OR_RETURN(Tensor tensor, ReadOutput(model, out, i, type));
    outputs.push_back(std::move(tensor));
  }
  return outputs;
}

}  // namespace cairn::testing
