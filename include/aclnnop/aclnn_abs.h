// SPDX-License-Identifier: Apache-2.0
// out = abs(self): two phases, preparation and queued run.
#ifndef CAIRN_ACLNNOP_ACLNN_ABS_H_
#define CAIRN_ACLNNOP_ACLNN_ABS_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// out = abs(self).
ACL_FUNC_VISIBILITY aclnnStatus aclnnAbsGetWorkspaceSize(
    const aclTensor* self, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnAbs(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // CAIRN_ACLNNOP_ACLNN_ABS_H_
