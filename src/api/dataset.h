// SPDX-License-Identifier: Apache-2.0
// The type behind aclmdlDataset.
#pragma once

#include <memory>
#include <vector>

#include "acl/acl_mdl.h"
#include "api/data_buffer.h"
#include "api/tensor_desc.h"

struct aclmdlDataset {
  struct Entry {
    aclDataBuffer* buffer;  ///< Owned by the user.
    std::unique_ptr<aclTensorDesc[]> desc;
  };
  std::vector<Entry> entries;
};
