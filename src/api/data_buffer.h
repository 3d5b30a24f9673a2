// SPDX-License-Identifier: Apache-2.0
// The type behind aclDataBuffer.
#pragma once

#include <cstddef>

#include "acl/acl_base.h"

struct aclDataBuffer {
  void* data = nullptr;
  size_t size = 0;
};
