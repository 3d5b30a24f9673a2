// SPDX-License-Identifier: Apache-2.0
// out = log(self): two phases, preparation and queued run.
#ifndef CAIRN_ACLNNOP_ACLNN_LOG_H_
#define CAIRN_ACLNNOP_ACLNN_LOG_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// out = log(self).
ACL_FUNC_VISIBILITY aclnnStatus aclnnLogGetWorkspaceSize(
    const aclTensor* self, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnLog(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // CAIRN_ACLNNOP_ACLNN_LOG_H_
