// SPDX-License-Identifier: Apache-2.0
// The type behind aclopAttr.
#pragma once

#include "acl/acl_op.h"
#include "runtime/operators.h"

struct aclopAttr {
  cairn::runtime::OperatorAttributes values;
};
