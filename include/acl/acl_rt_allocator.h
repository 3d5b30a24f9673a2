// SPDX-License-Identifier: Apache-2.0
// Allocators of the user; declared with the other functions of memory.
#ifndef CAIRN_ACL_ACL_RT_ALLOCATOR_H_
#define CAIRN_ACL_ACL_RT_ALLOCATOR_H_

#include "acl/acl_rt.h"

#endif  // CAIRN_ACL_ACL_RT_ALLOCATOR_H_
