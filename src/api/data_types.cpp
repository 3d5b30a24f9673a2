// SPDX-License-Identifier: Apache-2.0
// Element sizes and half floats.
#include "api/data_types.h"

#include <algorithm>
#include <cmath>

#include "acl/acl_base.h"
#include "base/half.h"

namespace cairn::api {

aclDataType ToAcl(ElementType type) {
  switch (type) {
    case ElementType::kF32:
      return ACL_FLOAT;
    case ElementType::kF16:
      return ACL_FLOAT16;
    case ElementType::kBf16:
      return ACL_BF16;
    case ElementType::kF64:
      return ACL_DOUBLE;
    case ElementType::kI8:
      return ACL_INT8;
    case ElementType::kU8:
      return ACL_UINT8;
    case ElementType::kI16:
      return ACL_INT16;
    case ElementType::kU16:
      return ACL_UINT16;
    case ElementType::kI32:
      return ACL_INT32;
    case ElementType::kU32:
      return ACL_UINT32;
    case ElementType::kI64:
      return ACL_INT64;
    case ElementType::kU64:
      return ACL_UINT64;
    case ElementType::kBool:
      return ACL_BOOL;
    case ElementType::kString:
      return ACL_STRING;
    case ElementType::kC64:
      return ACL_COMPLEX64;
    case ElementType::kC128:
      return ACL_COMPLEX128;
    case ElementType::kF8E4M3FN:
      return ACL_FLOAT8_E4M3FN;
    case ElementType::kF8E5M2:
      return ACL_FLOAT8_E5M2;
    case ElementType::kF8E8M0:
      return ACL_FLOAT8_E8M0;
    case ElementType::kI4:
      return ACL_INT4;
    case ElementType::kF4E2M1:
      return ACL_FLOAT4_E2M1;
    case ElementType::kUndefined:
    case ElementType::kF8E4M3FNUZ:
    case ElementType::kF8E5M2FNUZ:
    case ElementType::kU4:
    case ElementType::kI2:
    case ElementType::kU2:
      break;
  }
  return ACL_DT_UNDEFINED;
}

ElementType FromAcl(aclDataType type) {
  for (int i = 1; i < kNumElementTypes; ++i) {
    const auto candidate = static_cast<ElementType>(i);
    if (type != ACL_DT_UNDEFINED && ToAcl(candidate) == type) return candidate;
  }
  return ElementType::kUndefined;
}

}  // namespace cairn::api

size_t aclDataTypeSize(aclDataType dataType) {
  switch (dataType) {
    case ACL_DT_UNDEFINED:
    case ACL_STRING:
      return 0;
    case ACL_BOOL:
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_INT4:
    case ACL_UINT1:
    case ACL_HIFLOAT8:
    case ACL_FLOAT8_E5M2:
    case ACL_FLOAT8_E4M3FN:
    case ACL_FLOAT8_E8M0:
      return 1;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16:
      return 2;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
    case ACL_COMPLEX32:
      return 4;
    case ACL_COMPLEX128:
      return 16;
    default:
      return 8;
  }
}

float aclFloat16ToFloat(aclFloat16 value) { return cairn::F16ToF32(value); }

aclFloat16 aclFloatToFloat16(float value) {
  constexpr float kLargest = 65504.0f;
  if (std::isnan(value)) value = std::copysign(kLargest, value);
  return cairn::F32ToF16(std::clamp(value, -kLargest, kLargest));
}
