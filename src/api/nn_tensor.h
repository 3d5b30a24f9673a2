// SPDX-License-Identifier: Apache-2.0
// The types behind aclTensor, aclScalar and the arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "aclnn/acl_meta.h"

/// A strided view of memory of the caller; strides and offset count elements.
struct aclTensor {
  std::vector<int64_t> dims, strides, storage_dims;
  int64_t offset = 0;
  aclDataType type = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_ND;
  void* data = nullptr;
};

struct aclScalar {
  aclDataType type = ACL_DT_UNDEFINED;
  double value = 0;
};

struct aclIntArray {
  std::vector<int64_t> values;
};
struct aclFloatArray {
  std::vector<float> values;
};
struct aclBoolArray {
  std::vector<bool> values;
};
struct aclTensorList {
  std::vector<const aclTensor*> tensors;
};
