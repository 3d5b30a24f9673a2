// SPDX-License-Identifier: Apache-2.0
// Softmax along one axis: two phases, preparation and queued run.
#ifndef CAIRN_ACLNNOP_ACLNN_SOFTMAX_H_
#define CAIRN_ACLNNOP_ACLNN_SOFTMAX_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Softmax along one axis.
ACL_FUNC_VISIBILITY aclnnStatus aclnnSoftmaxGetWorkspaceSize(
    const aclTensor* self, int64_t dim, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor**
    executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnSoftmax(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // CAIRN_ACLNNOP_ACLNN_SOFTMAX_H_
