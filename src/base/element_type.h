// SPDX-License-Identifier: Apache-2.0
// Element types of tensors: all types of the ONNX standard, as storage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string_view>

namespace cairn {

/// Values are part of the file format; append only.
enum class ElementType : uint8_t {
  kUndefined = 0,
  kF32,
  kF16,
  kBf16,
  kF64,
  kI8,
  kU8,
  kI16,
  kU16,
  kI32,
  kU32,
  kI64,
  kU64,
  kBool,
  kString,
  kC64,        ///< Complex of two f32.
  kC128,       ///< Complex of two f64.
  kF8E4M3FN,
  kF8E4M3FNUZ,
  kF8E5M2,
  kF8E5M2FNUZ,
  kF8E8M0,
  kI4,         ///< Two elements a byte, first in the low half.
  kU4,
  kF4E2M1,
  kI2,         ///< Four elements a byte, first in the lowest bits.
  kU2,
};
inline constexpr int kNumElementTypes = static_cast<int>(ElementType::kU2) + 1;

/// Short lower-case name: "f32", "bf16", "i64", "bool", "f8e4m3fn".
const char* ElementTypeName(ElementType type);
std::optional<ElementType> ParseElementType(std::string_view name);

/// Bits of one element; 0 for kUndefined and kString.
int ElementBits(ElementType type);
/// Bytes of `count` packed elements, rounded up to whole bytes (sub-byte types).
/// Undefined for kString. The caller guarantees that the product fits in size_t.
size_t ElementBytes(ElementType type, size_t count);

bool IsFloat(ElementType type);            ///< Any binary floating-point type, fp8 and fp4 too.
bool IsSignedInteger(ElementType type);
bool IsUnsignedInteger(ElementType type);
inline bool IsInteger(ElementType type) {
  return IsSignedInteger(type) || IsUnsignedInteger(type);
}

inline std::ostream& operator<<(std::ostream& out, ElementType type) {
  return out << ElementTypeName(type);
}

}  // namespace cairn
