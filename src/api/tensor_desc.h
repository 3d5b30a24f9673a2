// SPDX-License-Identifier: Apache-2.0
// The type behind aclTensorDesc. Public functions hand out arrays of it: allocate with new[].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl_base.h"

struct aclTensorDesc {
  aclDataType type = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  std::vector<int64_t> dims;
  std::vector<std::pair<int64_t, int64_t>> ranges;
  aclFormat storage_format = ACL_FORMAT_UNDEFINED;
  std::vector<int64_t> storage_dims;
  std::string name;
  std::string dynamic_input;  ///< The variadic input of an operator that this one belongs to.
  std::optional<std::string> constant;  ///< Bytes of elements known when an operator is compiled.
  aclMemType placement = ACL_MEMTYPE_DEVICE;
  void* address = nullptr;
};
