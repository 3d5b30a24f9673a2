// SPDX-License-Identifier: Apache-2.0
// out = neg(self): two phases, preparation and queued run.
#ifndef CAIRN_ACLNNOP_ACLNN_NEG_H_
#define CAIRN_ACLNNOP_ACLNN_NEG_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// out = neg(self).
ACL_FUNC_VISIBILITY aclnnStatus aclnnNegGetWorkspaceSize(
    const aclTensor* self, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnNeg(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // CAIRN_ACLNNOP_ACLNN_NEG_H_
