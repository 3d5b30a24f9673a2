// SPDX-License-Identifier: Apache-2.0
// out = min(self, other): two phases, preparation and queued run.
#ifndef CAIRN_ACLNNOP_ACLNN_MINIMUM_H_
#define CAIRN_ACLNNOP_ACLNN_MINIMUM_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// out = min(self, other).
ACL_FUNC_VISIBILITY aclnnStatus aclnnMinimumGetWorkspaceSize(
    const aclTensor* self, const aclTensor* other, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnMinimum(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // CAIRN_ACLNNOP_ACLNN_MINIMUM_H_
