// SPDX-License-Identifier: Apache-2.0
// out = self * other: two phases, preparation and queued run.
#ifndef CAIRN_ACLNNOP_ACLNN_MUL_H_
#define CAIRN_ACLNNOP_ACLNN_MUL_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// out = self * other.
ACL_FUNC_VISIBILITY aclnnStatus aclnnMulGetWorkspaceSize(
    const aclTensor* self, const aclTensor* other, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnMul(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);
/// out = self * other.
ACL_FUNC_VISIBILITY aclnnStatus aclnnMulsGetWorkspaceSize(
    const aclTensor* self, const aclScalar* other, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnMuls(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);
/// selfRef = selfRef * other.
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceMulGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* other, uint64_t* workspaceSize, aclOpExecutor**
    executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceMul(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // CAIRN_ACLNNOP_ACLNN_MUL_H_
