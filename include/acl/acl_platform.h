// SPDX-License-Identifier: Apache-2.0
// Properties of NPU hardware.
#ifndef CAIRN_ACL_ACL_PLATFORM_H_
#define CAIRN_ACL_ACL_PLATFORM_H_

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  ACL_PLATFORM_AICORE_CNT = 0,
  ACL_PLATFORM_AICORE_UB_SIZE = 1,
  ACL_PLATFORM_CUBE_CORE_CNT = 2,
  ACL_PLATFORM_VECTOR_CORE_CNT = 3,
  ACL_PLATFORM_L2_SIZE = 4,
  ACL_PLATFORM_MEMORY_SIZE = 5,
  ACL_PLATFORM_CUBE_FREQ = 6,
  ACL_PLATFORM_VEC_FREQ = 7,
  ACL_PLATFORM_BT_SIZE = 8,
  ACL_PLATFORM_L0_A_SIZE = 9,
  ACL_PLATFORM_L0_B_SIZE = 10,
  ACL_PLATFORM_L0_C_SIZE = 11,
  ACL_PLATFORM_L1_SIZE = 12,
  ACL_PLATFORM_SOC_VERSION = 13,
  ACL_PLATFORM_AIC_VERSION = 14,
  ACL_PLATFORM_NPU_ARCH = 15,
  ACL_PLATFORM_MEMORY_TYPE = 16
} aclplatformDevInfo;

typedef enum {
  ACL_PLATFORM_CORE_TYPE_AI_CORE = 0,
  ACL_PLATFORM_CORE_TYPE_VECTOR_CORE = 1
} aclplatformCoreType;

ACL_FUNC_VISIBILITY aclError aclplatformGetDeviceInfo(
    aclplatformDevInfo infoType, char* value, uint32_t maxLen);
ACL_FUNC_VISIBILITY aclError aclplatformGetInstructionInfo(
    aclplatformCoreType type, const char* instruction, char* value, uint32_t maxLen);

#ifdef __cplusplus
}
#endif

#endif  // CAIRN_ACL_ACL_PLATFORM_H_
