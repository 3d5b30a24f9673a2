// SPDX-License-Identifier: Apache-2.0
// Tensor descriptions: element type, dims, format and their storage form.
#ifndef CAIRN_ACL_ACL_BASE_MDL_H_
#define CAIRN_ACL_ACL_BASE_MDL_H_

#include "acl/acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct aclTensorDesc aclTensorDesc;

/// Describes a tensor; dims are copied, 0 dims are a scalar, -1 is an unknown dim. NULL on a
/// negative count or missing dims.
ACL_FUNC_VISIBILITY aclTensorDesc* aclCreateTensorDesc(
    aclDataType dataType, int numDims, const int64_t* dims, aclFormat format);

/// Releases a description or the array returned by aclmdlCreateAndGetOpDesc; NULL is allowed.
ACL_FUNC_VISIBILITY void aclDestroyTensorDesc(const aclTensorDesc* desc);

/// Readers.
ACL_FUNC_VISIBILITY aclDataType aclGetTensorDescType(const aclTensorDesc* desc);
ACL_FUNC_VISIBILITY aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc);
ACL_FUNC_VISIBILITY size_t aclGetTensorDescSize(const aclTensorDesc* desc);
ACL_FUNC_VISIBILITY size_t aclGetTensorDescElementCount(const aclTensorDesc* desc);
ACL_FUNC_VISIBILITY size_t aclGetTensorDescNumDims(const aclTensorDesc* desc);
ACL_FUNC_VISIBILITY aclError aclGetTensorDescDimV2(
    const aclTensorDesc* desc, size_t index, int64_t* dimSize);
ACL_DEPRECATED ACL_FUNC_VISIBILITY int64_t aclGetTensorDescDim(
    const aclTensorDesc* desc, size_t index);
ACL_FUNC_VISIBILITY aclError aclGetTensorDescDimRange(
    const aclTensorDesc* desc, size_t index, size_t dimRangeNum, int64_t* dimRange);
ACL_FUNC_VISIBILITY aclTensorDesc* aclGetTensorDescByIndex(aclTensorDesc* desc, size_t index);
ACL_FUNC_VISIBILITY void* aclGetTensorDescAddress(const aclTensorDesc* desc);
ACL_FUNC_VISIBILITY const char* aclGetTensorDescName(aclTensorDesc* desc);

/// Writers for single operators.
ACL_FUNC_VISIBILITY aclError aclSetTensorConst(
    aclTensorDesc* desc, void* dataBuffer, size_t length);
ACL_FUNC_VISIBILITY aclError aclSetTensorShapeRange(
    aclTensorDesc* desc, size_t dimsCount, int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM]);
ACL_FUNC_VISIBILITY void aclSetTensorDescName(aclTensorDesc* desc, const char* name);
ACL_FUNC_VISIBILITY aclError aclSetTensorDynamicInput(
    aclTensorDesc* desc, const char* dynamicInputName);
ACL_FUNC_VISIBILITY aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format);
ACL_FUNC_VISIBILITY aclError aclSetTensorOriginFormat(aclTensorDesc* desc, aclFormat format);
ACL_FUNC_VISIBILITY aclError aclSetTensorOriginShape(
    aclTensorDesc* desc, int numDims, const int64_t* dims);
ACL_FUNC_VISIBILITY aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType memType);
ACL_FUNC_VISIBILITY aclError aclSetTensorShape(
    aclTensorDesc* desc, int numDims, const int64_t* dims);
ACL_DEPRECATED ACL_FUNC_VISIBILITY aclError aclSetTensorStorageFormat(
    aclTensorDesc* desc, aclFormat format);
ACL_DEPRECATED ACL_FUNC_VISIBILITY aclError aclSetTensorStorageShape(
    aclTensorDesc* desc, int numDims, const int64_t* dims);
ACL_FUNC_VISIBILITY aclError aclSetTensorValueRange(
    aclTensorDesc* desc, size_t valueCount, int64_t valueRange[][ACL_TENSOR_VALUE_RANGE_NUM]);
ACL_FUNC_VISIBILITY aclError aclTransTensorDescFormat(
    const aclTensorDesc* srcDesc, aclFormat dstFormat, aclTensorDesc** dstDesc);

#ifdef __cplusplus
}
#endif

#endif  // CAIRN_ACL_ACL_BASE_MDL_H_
