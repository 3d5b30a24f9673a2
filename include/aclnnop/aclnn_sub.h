// SPDX-License-Identifier: Apache-2.0
// out = self - alpha * other: two phases, preparation and queued run.
#ifndef CAIRN_ACLNNOP_ACLNN_SUB_H_
#define CAIRN_ACLNNOP_ACLNN_SUB_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// out = self - alpha * other.
ACL_FUNC_VISIBILITY aclnnStatus aclnnSubGetWorkspaceSize(
    const aclTensor* self, const aclTensor* other, const aclScalar* alpha, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnSub(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);
/// out = self - alpha * other.
ACL_FUNC_VISIBILITY aclnnStatus aclnnSubsGetWorkspaceSize(
    const aclTensor* self, const aclScalar* other, const aclScalar* alpha, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnSubs(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // CAIRN_ACLNNOP_ACLNN_SUB_H_
