// SPDX-License-Identifier: Apache-2.0
// TensorType: what is known about a value before it exists.
#pragma once

#include <optional>
#include <string>

#include "base/dim.h"
#include "base/element_type.h"

namespace cairn {

/// What kind of thing a value holds.
enum class ValueKind : uint8_t { kTensor, kSequence, kOptional };

/// Element type and, as far as known, symbolic shape. For a sequence or optional: of its element.
struct TensorType {
  ElementType dtype = ElementType::kUndefined;
  std::optional<Dims> dims;  ///< Absent: rank unknown. Unknown dims are symbols.
  ValueKind kind = ValueKind::kTensor;

  TensorType() = default;
  TensorType(ElementType t) : dtype(t) {}  // NOLINT: implicit by design
  TensorType(ElementType t, Dims d) : dtype(t), dims(std::move(d)) {}

  bool has_rank() const { return dims.has_value(); }
  int64_t rank() const { return static_cast<int64_t>(dims->size()); }
  bool is_static() const { return dims && ConstDims(*dims).has_value(); }

  friend bool operator==(const TensorType& a, const TensorType& b) {
    return a.dtype == b.dtype && a.kind == b.kind && a.dims == b.dims;
  }
  /// "f32[1,3,H,W]", "i64[]", "f32[*]" for an unknown rank, "seq(f32[N])".
  std::string ToString() const;
};

inline std::ostream& operator<<(std::ostream& out, const TensorType& type) {
  return out << type.ToString();
}

}  // namespace cairn
