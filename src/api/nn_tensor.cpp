// SPDX-License-Identifier: Apache-2.0
// Tensors, scalars and arrays of two-phase operator calls.
#include "api/nn_tensor.h"

#include <algorithm>
#include <cstring>

#include "api/call.h"
#include "base/half.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT

namespace {

std::vector<int64_t> DenseStrides(const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;)
    strides[i - 1] = strides[i] * std::max<int64_t>(dims[i], 1);
  return strides;
}

template <class T>
double As(const void* value) {
  T number;
  std::memcpy(&number, value, sizeof(number));
  return static_cast<double>(number);
}

Answer ReadScalar(const void* value, aclDataType type, double& number) {
  switch (type) {
    case ACL_FLOAT: number = As<float>(value); return {};
    case ACL_DOUBLE: number = As<double>(value); return {};
    case ACL_FLOAT16: number = F16ToF32(static_cast<uint16_t>(As<uint16_t>(value))); return {};
    case ACL_BF16: number = Bf16ToF32(static_cast<uint16_t>(As<uint16_t>(value))); return {};
    case ACL_INT8: number = As<int8_t>(value); return {};
    case ACL_UINT8: number = As<uint8_t>(value); return {};
    case ACL_INT16: number = As<int16_t>(value); return {};
    case ACL_UINT16: number = As<uint16_t>(value); return {};
    case ACL_INT32: number = As<int32_t>(value); return {};
    case ACL_UINT32: number = As<uint32_t>(value); return {};
    case ACL_INT64: number = As<int64_t>(value); return {};
    case ACL_UINT64: number = As<uint64_t>(value); return {};
    case ACL_BOOL: number = As<uint8_t>(value) != 0; return {};
    default:
      return InvalidArgument("dataType", static_cast<int>(type), "no scalar has this type");
  }
}

template <class Object, class Value>
Object* MakeArray(const char* function, const Value* value, uint64_t size) {
  return GuardValue<Object*>(function, nullptr, [&](auto& array) -> Answer {
    if (size > 0) ACL_REQUIRE(value);
    array = new Object;
    array->values.assign(value, value + size);
    return {};
  });
}

template <class Object>
aclnnStatus Destroy(const char* function, const Object* object) {
  return Guard(function, [&]() -> Answer {
    ACL_REQUIRE(object);
    delete object;
    return {};
  });
}

template <class Object>
aclnnStatus SizeOf(const char* function, const Object* array, uint64_t* size) {
  return Guard(function, [&]() -> Answer {
    ACL_REQUIRE(array);
    ACL_REQUIRE(size);
    *size = array->values.size();
    return {};
  });
}

/// A copy that the caller releases with delete[].
aclnnStatus CopyList(const char* function, const aclTensor* tensor,
                     std::vector<int64_t> aclTensor::*list, int64_t** values, uint64_t* count) {
  return Guard(function, [&]() -> Answer {
    ACL_REQUIRE(tensor);
    ACL_REQUIRE(values);
    ACL_REQUIRE(count);
    const std::vector<int64_t>& from = tensor->*list;
    *values = new int64_t[from.size()];
    std::copy(from.begin(), from.end(), *values);
    *count = from.size();
    return {};
  });
}

}  // namespace

aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType,
                           const int64_t* stride, int64_t offset, aclFormat format,
                           const int64_t* storageDims, uint64_t storageDimsNum, void* tensorData) {
  return GuardValue<aclTensor*>("aclCreateTensor", nullptr, [&](auto& tensor) -> Answer {
    if (viewDimsNum > 0) ACL_REQUIRE(viewDims);
    if (storageDimsNum > 0) ACL_REQUIRE(storageDims);
    if (offset < 0) return InvalidArgument("offset", offset, "it must not be negative");
    tensor = new aclTensor;
    tensor->dims.assign(viewDims, viewDims + viewDimsNum);
    tensor->storage_dims.assign(storageDims, storageDims + storageDimsNum);
    if (stride != nullptr)
      tensor->strides.assign(stride, stride + viewDimsNum);
    else
      tensor->strides = DenseStrides(tensor->dims);
    tensor->offset = offset;
    tensor->type = dataType;
    tensor->format = format;
    tensor->data = tensorData;
    return {};
  });
}

aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
  return Destroy("aclDestroyTensor", tensor);
}

aclScalar* aclCreateScalar(void* value, aclDataType dataType) {
  return GuardValue<aclScalar*>("aclCreateScalar", nullptr, [&](auto& scalar) -> Answer {
    ACL_REQUIRE(value);
    double number = 0;
    ACL_RETURN_IF_FAILED(ReadScalar(value, dataType, number));
    scalar = new aclScalar{dataType, number};
    return {};
  });
}

aclnnStatus aclDestroyScalar(const aclScalar* scalar) {
  return Destroy("aclDestroyScalar", scalar);
}

aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size) {
  return MakeArray<aclIntArray>("aclCreateIntArray", value, size);
}

aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size) {
  return MakeArray<aclFloatArray>("aclCreateFloatArray", value, size);
}

aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size) {
  return MakeArray<aclBoolArray>("aclCreateBoolArray", value, size);
}

aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size) {
  return GuardValue<aclTensorList*>("aclCreateTensorList", nullptr, [&](auto& list) -> Answer {
    if (size > 0) ACL_REQUIRE(value);
    list = new aclTensorList{{value, value + size}};
    return {};
  });
}

aclnnStatus aclDestroyIntArray(const aclIntArray* array) {
  return Destroy("aclDestroyIntArray", array);
}

aclnnStatus aclDestroyFloatArray(const aclFloatArray* array) {
  return Destroy("aclDestroyFloatArray", array);
}

aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) {
  return Destroy("aclDestroyBoolArray", array);
}

aclnnStatus aclDestroyTensorList(const aclTensorList* array) {
  if (array != nullptr)
    for (const aclTensor* tensor : array->tensors) delete tensor;
  return Destroy("aclDestroyTensorList", array);
}

aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims, uint64_t* viewDimsNum) {
  return CopyList("aclGetViewShape", tensor, &aclTensor::dims, viewDims, viewDimsNum);
}

aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** storageDims,
                               uint64_t* storageDimsNum) {
  return CopyList("aclGetStorageShape", tensor, &aclTensor::storage_dims, storageDims,
                  storageDimsNum);
}

aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** stridesValue,
                              uint64_t* stridesNum) {
  return CopyList("aclGetViewStrides", tensor, &aclTensor::strides, stridesValue, stridesNum);
}

aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset) {
  return Guard("aclGetViewOffset", [&]() -> Answer {
    ACL_REQUIRE(tensor);
    ACL_REQUIRE(offset);
    *offset = tensor->offset;
    return {};
  });
}

aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format) {
  return Guard("aclGetFormat", [&]() -> Answer {
    ACL_REQUIRE(tensor);
    ACL_REQUIRE(format);
    *format = tensor->format;
    return {};
  });
}

aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType) {
  return Guard("aclGetDataType", [&]() -> Answer {
    ACL_REQUIRE(tensor);
    ACL_REQUIRE(dataType);
    *dataType = tensor->type;
    return {};
  });
}

aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size) {
  return SizeOf("aclGetIntArraySize", array, size);
}

aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size) {
  return SizeOf("aclGetFloatArraySize", array, size);
}

aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size) {
  return SizeOf("aclGetBoolArraySize", array, size);
}

aclnnStatus aclGetTensorListSize(const aclTensorList* tensorList, uint64_t* size) {
  return Guard("aclGetTensorListSize", [&]() -> Answer {
    ACL_REQUIRE(tensorList);
    ACL_REQUIRE(size);
    *size = tensorList->tensors.size();
    return {};
  });
}
