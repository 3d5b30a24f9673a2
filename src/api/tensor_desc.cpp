// SPDX-License-Identifier: Apache-2.0
// Tensor descriptions.
#include "api/tensor_desc.h"

#include "api/call.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT

namespace {

constexpr int64_t kUnknownRank = -2;

/// Copies `count` dims; a missing array for a positive count is an error.
Answer CopyDims(int numDims, const int64_t* dims, std::vector<int64_t>& target) {
  if (numDims < 0) return InvalidArgument("numDims", numDims, "it must not be negative");
  if (numDims > 0) ACL_REQUIRE(dims);
  target.assign(dims, dims + numDims);
  return {};
}

Answer CheckIndex(const aclTensorDesc* desc, size_t index) {
  ACL_REQUIRE(desc);
  if (index < desc->dims.size()) return {};
  return InvalidArgument("index", index, StrCat("the tensor has ", desc->dims.size(), " dims"));
}

Answer SetStorageFormat(aclTensorDesc* desc, aclFormat format) {
  if (desc != nullptr) desc->storage_format = format;
  return {};
}

Answer SetStorageDims(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  ACL_REQUIRE(desc);
  return CopyDims(numDims, dims, desc->storage_dims);
}

}  // namespace

aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t* dims,
                                   aclFormat format) {
  return GuardValue<aclTensorDesc*>("aclCreateTensorDesc", nullptr, [&](auto& desc) -> Answer {
    std::vector<int64_t> copied;
    ACL_RETURN_IF_FAILED(CopyDims(numDims, dims, copied));
    desc = new aclTensorDesc[1];
    desc->type = dataType;
    desc->format = format;
    desc->dims = std::move(copied);
    return {};
  });
}

void aclDestroyTensorDesc(const aclTensorDesc* desc) { delete[] desc; }

aclDataType aclGetTensorDescType(const aclTensorDesc* desc) {
  return desc == nullptr ? ACL_DT_UNDEFINED : desc->type;
}

aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc) {
  return desc == nullptr ? ACL_FORMAT_UNDEFINED : desc->format;
}

size_t aclGetTensorDescElementCount(const aclTensorDesc* desc) {
  if (desc == nullptr) return 0;
  size_t count = 1;
  for (const int64_t dim : desc->dims) {
    if (dim < 0 || __builtin_mul_overflow(count, static_cast<size_t>(dim), &count)) return 0;
  }
  return count;
}

size_t aclGetTensorDescSize(const aclTensorDesc* desc) {
  return aclGetTensorDescElementCount(desc) * aclDataTypeSize(aclGetTensorDescType(desc));
}

size_t aclGetTensorDescNumDims(const aclTensorDesc* desc) {
  if (desc == nullptr) return 0;
  if (!desc->dims.empty() && desc->dims[0] == kUnknownRank) return ACL_UNKNOWN_RANK;
  return desc->dims.size();
}

aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index, int64_t* dimSize) {
  return Guard("aclGetTensorDescDimV2", [&]() -> Answer {
    ACL_RETURN_IF_FAILED(CheckIndex(desc, index));
    ACL_REQUIRE(dimSize);
    *dimSize = desc->dims[index];
    return {};
  });
}

int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index) {
  return GuardValue<int64_t>("aclGetTensorDescDim", -1, [&](auto& dim) -> Answer {
    ACL_RETURN_IF_FAILED(CheckIndex(desc, index));
    dim = desc->dims[index];
    return {};
  });
}

aclTensorDesc* aclGetTensorDescByIndex(aclTensorDesc* desc, size_t index) {
  return desc == nullptr ? nullptr : desc + index;
}

void* aclGetTensorDescAddress(const aclTensorDesc* desc) {
  return desc == nullptr ? nullptr : desc->address;
}

const char* aclGetTensorDescName(aclTensorDesc* desc) {
  return desc == nullptr ? "" : desc->name.c_str();
}

void aclSetTensorDescName(aclTensorDesc* desc, const char* name) {
  if (desc != nullptr) desc->name = name == nullptr ? "" : name;
}

aclError aclSetTensorShapeRange(aclTensorDesc* desc, size_t dimsCount,
                                int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM]) {
  return Guard("aclSetTensorShapeRange", [&]() -> Answer {
    ACL_REQUIRE(desc);
    if (dimsCount > 0) ACL_REQUIRE(dimsRange);
    desc->ranges.clear();
    for (size_t i = 0; i < dimsCount; ++i)
      desc->ranges.emplace_back(dimsRange[i][0], dimsRange[i][1]);
    return {};
  });
}

aclError aclGetTensorDescDimRange(const aclTensorDesc* desc, size_t index, size_t dimRangeNum,
                                  int64_t* dimRange) {
  return Guard("aclGetTensorDescDimRange", [&]() -> Answer {
    ACL_RETURN_IF_FAILED(CheckIndex(desc, index));
    ACL_REQUIRE(dimRange);
    if (dimRangeNum < 2) return InvalidArgument("dimRangeNum", dimRangeNum, "it must be 2 or more");
    const bool has_range = index < desc->ranges.size();
    dimRange[0] = has_range ? desc->ranges[index].first : desc->dims[index];
    dimRange[1] = has_range ? desc->ranges[index].second : desc->dims[index];
    return {};
  });
}

aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format) {
  return Guard("aclSetTensorFormat", [&] { return SetStorageFormat(desc, format); });
}

aclError aclSetTensorStorageFormat(aclTensorDesc* desc, aclFormat format) {
  return Guard("aclSetTensorStorageFormat", [&] { return SetStorageFormat(desc, format); });
}

aclError aclSetTensorOriginFormat(aclTensorDesc* desc, aclFormat format) {
  if (desc != nullptr) desc->format = format;
  return ACL_SUCCESS;
}

aclError aclSetTensorShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return Guard("aclSetTensorShape", [&] { return SetStorageDims(desc, numDims, dims); });
}

aclError aclSetTensorStorageShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return Guard("aclSetTensorStorageShape", [&] { return SetStorageDims(desc, numDims, dims); });
}

aclError aclSetTensorOriginShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return Guard("aclSetTensorOriginShape", [&]() -> Answer {
    ACL_REQUIRE(desc);
    return CopyDims(numDims, dims, desc->dims);
  });
}

aclError aclSetTensorConst(aclTensorDesc* desc, void* dataBuffer, size_t length) {
  return Guard("aclSetTensorConst", [&]() -> Answer {
    ACL_REQUIRE(desc);
    ACL_REQUIRE(dataBuffer);
    if (length == 0) return InvalidArgument("length", 0, "it must be positive");
    desc->constant = std::string(static_cast<const char*>(dataBuffer), length);
    return {};
  });
}

aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType memType) {
  return Guard("aclSetTensorPlaceMent", [&]() -> Answer {
    ACL_REQUIRE(desc);
    desc->placement = memType;
    return {};
  });
}

aclError aclSetTensorDynamicInput(aclTensorDesc* desc, const char* dynamicInputName) {
  return Guard("aclSetTensorDynamicInput", [&]() -> Answer {
    ACL_REQUIRE(desc);
    ACL_REQUIRE(dynamicInputName);
    desc->dynamic_input = dynamicInputName;
    return {};
  });
}

aclError aclTransTensorDescFormat(const aclTensorDesc*, aclFormat, aclTensorDesc**) {
  return Guard("aclTransTensorDescFormat", [] {
    return NotSupported("aclTransTensorDescFormat", "tensors of operators have plain formats",
                        ACL_ERROR_API_NOT_SUPPORT);
  });
}
