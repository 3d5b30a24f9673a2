// SPDX-License-Identifier: Apache-2.0
// Matrix product, leading axes broadcast: two phases, preparation and queued run.
#ifndef CAIRN_ACLNNOP_ACLNN_MATMUL_H_
#define CAIRN_ACLNNOP_ACLNN_MATMUL_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Matrix product, leading axes broadcast.
ACL_FUNC_VISIBILITY aclnnStatus aclnnMatmulGetWorkspaceSize(
    const aclTensor* self, const aclTensor* mat2, aclTensor* out, int8_t cubeMathType, uint64_t*
    workspaceSize, aclOpExecutor** executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnMatmul(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // CAIRN_ACLNNOP_ACLNN_MATMUL_H_
