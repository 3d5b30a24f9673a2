// SPDX-License-Identifier: Apache-2.0
// Between the C API's element types and ours.
#pragma once

#include "acl/acl_base.h"
#include "base/element_type.h"

namespace cairn::api {

/// ACL_DT_UNDEFINED for types the C API has no name for.
aclDataType ToAcl(ElementType type);
/// kUndefined for types that we do not compute with.
ElementType FromAcl(aclDataType type);

}  // namespace cairn::api
