// SPDX-License-Identifier: Apache-2.0
// Attribute names and values that a file keeps as numbers into two lists.
#pragma once

#include "base/status.h"
#include "modeldef/cairn_ge.pb.h"

namespace cairn::modeldef {

/// Puts names and texts back in their places and removes the lists; does nothing to a model without
/// them. kDataCorrupt for a number outside of its list.
Status ExpandAttributeNames(ge::ModelDef& model);

}  // namespace cairn::modeldef
