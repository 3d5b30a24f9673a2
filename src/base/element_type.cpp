// SPDX-License-Identifier: Apache-2.0
// Table of element types.
#include "base/element_type.h"

#include <array>

namespace cairn {
namespace {

enum class Kind : uint8_t { kNone, kFloat, kSigned, kUnsigned, kOther };
struct Row {
  const char* name;
  int bits;
  Kind kind;
};

constexpr std::array<Row, kNumElementTypes> kRows = {{
    {"undefined", 0, Kind::kNone},   {"f32", 32, Kind::kFloat},
    {"f16", 16, Kind::kFloat},       {"bf16", 16, Kind::kFloat},
    {"f64", 64, Kind::kFloat},       {"i8", 8, Kind::kSigned},
    {"u8", 8, Kind::kUnsigned},      {"i16", 16, Kind::kSigned},
    {"u16", 16, Kind::kUnsigned},    {"i32", 32, Kind::kSigned},
    {"u32", 32, Kind::kUnsigned},    {"i64", 64, Kind::kSigned},
    {"u64", 64, Kind::kUnsigned},    {"bool", 8, Kind::kOther},
    {"string", 0, Kind::kOther},     {"c64", 64, Kind::kOther},
    {"c128", 128, Kind::kOther},     {"f8e4m3fn", 8, Kind::kFloat},
    {"f8e4m3fnuz", 8, Kind::kFloat}, {"f8e5m2", 8, Kind::kFloat},
    {"f8e5m2fnuz", 8, Kind::kFloat}, {"f8e8m0", 8, Kind::kFloat},
    {"i4", 4, Kind::kSigned},        {"u4", 4, Kind::kUnsigned},
    {"f4e2m1", 4, Kind::kFloat},     {"i2", 2, Kind::kSigned},
    {"u2", 2, Kind::kUnsigned},
}};

const Row& RowOf(ElementType type) {
  const auto index = static_cast<size_t>(type);
  return kRows[index < kRows.size() ? index : 0];
}

}  // namespace

const char* ElementTypeName(ElementType type) { return RowOf(type).name; }

std::optional<ElementType> ParseElementType(std::string_view name) {
  for (size_t i = 0; i < kRows.size(); ++i) {
    if (name == kRows[i].name) return static_cast<ElementType>(i);
  }
  return std::nullopt;
}

int ElementBits(ElementType type) { return RowOf(type).bits; }

size_t ElementBytes(ElementType type, size_t count) {
  const auto bits = static_cast<size_t>(ElementBits(type));
  return bits >= 8 ? count * (bits / 8) : (count * bits + 7) / 8;
}

bool IsFloat(ElementType type) { return RowOf(type).kind == Kind::kFloat; }
bool IsSignedInteger(ElementType type) { return RowOf(type).kind == Kind::kSigned; }
bool IsUnsignedInteger(ElementType type) { return RowOf(type).kind == Kind::kUnsigned; }

}  // namespace cairn
