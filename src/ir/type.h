// SPDX-License-Identifier: Apache-2.0
// TensorType: what is known about a value before it exists.
#pragma once

#include <optional>
#include <string>

#include "base/dim.h"
#include "base/element_type.h"

namespace cairn {

/// What kind of thing a value holds.
enum class ValueKind : uint8_t {
  kTensor,
  kSequence,          ///< Any number of tensors of one element type.
  kOptional,          ///< A tensor or nothing.
  kOptionalSequence,  ///< A sequence of tensors or nothing.
};

/// What an optional holds, and the optional that holds such a thing.
inline ValueKind HeldKind(ValueKind kind) {
  return kind == ValueKind::kOptionalSequence ? ValueKind::kSequence : ValueKind::kTensor;
}
inline ValueKind OptionalOf(ValueKind kind) {
  return kind == ValueKind::kSequence ? ValueKind::kOptionalSequence : ValueKind::kOptional;
}
inline bool IsOptionalKind(ValueKind kind) {
  return kind == ValueKind::kOptional || kind == ValueKind::kOptionalSequence;
}

/// Element type and, as far as known, symbolic shape. For a sequence or optional: of its tensors.
struct TensorType {
  ElementType dtype = ElementType::kUndefined;
  std::optional<Dims> dims;  ///< Absent: rank unknown. Unknown dims are symbols.
  ValueKind kind = ValueKind::kTensor;

  TensorType() = default;
  TensorType(ElementType t) : dtype(t) {}  // NOLINT: implicit by design
  TensorType(ElementType t, Dims d) : dtype(t), dims(std::move(d)) {}

  /// The same element type and shape as another kind of value.
  TensorType As(ValueKind other) const {
    TensorType type = *this;
    type.kind = other;
    return type;
  }

  bool has_rank() const { return dims.has_value(); }
  int64_t rank() const { return static_cast<int64_t>(dims->size()); }
  bool is_static() const { return dims && ConstDims(*dims).has_value(); }

  friend bool operator==(const TensorType& a, const TensorType& b) {
    return a.dtype == b.dtype && a.kind == b.kind && a.dims == b.dims;
  }
  /// "f32[1,3,H,W]", "i64[]", "f32[*]" for an unknown rank, "seq(f32[N])", "optional(seq(f32[N]))".
  std::string ToString() const;
};

inline std::ostream& operator<<(std::ostream& out, const TensorType& type) {
  return out << type.ToString();
}

}  // namespace cairn
