// SPDX-License-Identifier: Apache-2.0
// The whole of AscendCL for models: base, runtime, operators, models.
#ifndef CAIRN_ACL_ACL_H_
#define CAIRN_ACL_ACL_H_

#include "acl/acl_mdl.h"
#include "acl/acl_op.h"
#include "acl/acl_rt.h"

#endif  // CAIRN_ACL_ACL_H_
