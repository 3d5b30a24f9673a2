// SPDX-License-Identifier: Apache-2.0
// The type behind aclmdlAIPP.
#pragma once

#include <vector>

#include "acl/acl_mdl.h"
#include "base/aipp.h"

struct aclmdlAIPP {
  std::vector<cairn::AippFrame> frames;  ///< One per image of the batch.
};
