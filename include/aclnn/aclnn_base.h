// SPDX-License-Identifier: Apache-2.0
// Base of the two-phase operator calls.
#ifndef CAIRN_ACLNN_ACLNN_BASE_H_
#define CAIRN_ACLNN_ACLNN_BASE_H_

#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

ACL_FUNC_VISIBILITY aclnnStatus aclnnInit(const char* configPath);
ACL_FUNC_VISIBILITY aclnnStatus aclnnFinalize(void);

#ifdef __cplusplus
}
#endif

#endif  // CAIRN_ACLNN_ACLNN_BASE_H_
