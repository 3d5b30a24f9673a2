// SPDX-License-Identifier: Apache-2.0
// Text form of value types.
#include "ir/type.h"

namespace cairn {

std::string TensorType::ToString() const {
  const std::string tensor =
      StrCat(ElementTypeName(dtype), dims ? DimsToString(*dims) : std::string("[*]"));
  switch (kind) {
    case ValueKind::kTensor: return tensor;
    case ValueKind::kSequence: return StrCat("seq(", tensor, ")");
    case ValueKind::kOptional: return StrCat("optional(", tensor, ")");
    case ValueKind::kOptionalSequence: return StrCat("optional(seq(", tensor, "))");
  }
  return tensor;
}

}  // namespace cairn
