// SPDX-License-Identifier: Apache-2.0
// out = max(self, other): two phases, preparation and queued run.
#ifndef CAIRN_ACLNNOP_ACLNN_MAXIMUM_H_
#define CAIRN_ACLNNOP_ACLNN_MAXIMUM_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// out = max(self, other).
ACL_FUNC_VISIBILITY aclnnStatus aclnnMaximumGetWorkspaceSize(
    const aclTensor* self, const aclTensor* other, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnMaximum(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // CAIRN_ACLNNOP_ACLNN_MAXIMUM_H_
