// SPDX-License-Identifier: Apache-2.0
// The model interface.
#ifndef CAIRN_ACL_ACL_MDL_H_
#define CAIRN_ACL_ACL_MDL_H_

#include "acl/mdl/dataset.h"
#include "acl/mdl/model.h"
#include "acl/mdl/types.h"

#endif  // CAIRN_ACL_ACL_MDL_H_
