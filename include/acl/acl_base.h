// SPDX-License-Identifier: Apache-2.0
// Base types and functions of AscendCL.
#ifndef CAIRN_ACL_ACL_BASE_H_
#define CAIRN_ACL_ACL_BASE_H_

#include "acl/acl_base_mdl.h"
#include "acl/acl_base_rt.h"

#endif  // CAIRN_ACL_ACL_BASE_H_
