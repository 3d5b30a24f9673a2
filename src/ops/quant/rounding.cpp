// SPDX-License-Identifier: Apache-2.0
// The last step of quantization: rounding to a quantized type.
#include "ops/quant/rounding.h"

#include <cmath>

#include "base/half.h"

namespace cairn {
namespace {

/// The least magnitude that rounds beyond the largest finite value; 0 for types without such limit.
double Limit(ElementType type) {
  switch (type) {
    case ElementType::kF8E4M3FN:
      return 464;
    case ElementType::kF8E4M3FNUZ:
      return 248;
    case ElementType::kF8E5M2:
    case ElementType::kF8E5M2FNUZ:
      return 61440;
    default:
      return 0;
  }
}

double LargestFinite(ElementType type) {
  switch (type) {
    case ElementType::kF8E4M3FN:
      return 448;
    case ElementType::kF8E4M3FNUZ:
      return 240;
    default:
      return 57344;
  }
}

/// The tie 464 of e4m3fn rounds down to the even 448; the ties of the others round up.
bool IsOutOfRange(ElementType type, double value) {
  const double limit = Limit(type), magnitude = std::fabs(value);
  if (limit == 0) return false;
  return type == ElementType::kF8E4M3FN ? magnitude > limit : magnitude >= limit;
}

/// The value to store for one that is out of range.
double Replacement(ElementType type, double value, bool saturate) {
  if (saturate) return std::copysign(LargestFinite(type), value);
  return type == ElementType::kF8E5M2 ? std::copysign(INFINITY, value) : std::nan("");
}

}  // namespace

void StoreQuantized(double scaled, double zero_point, bool saturate, int64_t i, Tensor& y) {
  if (!IsFloat(y.dtype())) {
    y.SetDouble(i, std::nearbyint(scaled) + zero_point);
    return;
  }
  const double value = scaled + zero_point;
  y.SetDouble(i, IsOutOfRange(y.dtype(), value) ? Replacement(y.dtype(), value, saturate) : value);
}

double RoundTo(ElementType type, double value) {
  switch (type) {
    case ElementType::kF32:
      return static_cast<float>(value);
    case ElementType::kF16:
      return F16ToF32(F64ToF16(value));
    case ElementType::kBf16:
      return Bf16ToF32(F64ToBf16(value));
    default:
      return value;
  }
}

}  // namespace cairn
