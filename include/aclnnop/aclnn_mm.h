// SPDX-License-Identifier: Apache-2.0
// Matrix product of two matrices: two phases, preparation and queued run.
#ifndef CAIRN_ACLNNOP_ACLNN_MM_H_
#define CAIRN_ACLNNOP_ACLNN_MM_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Matrix product of two matrices.
ACL_FUNC_VISIBILITY aclnnStatus aclnnMmGetWorkspaceSize(
    const aclTensor* self, const aclTensor* mat2, aclTensor* out, int8_t cubeMathType, uint64_t*
    workspaceSize, aclOpExecutor** executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnMm(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // CAIRN_ACLNNOP_ACLNN_MM_H_
