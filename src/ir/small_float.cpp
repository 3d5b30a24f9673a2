// SPDX-License-Identifier: Apache-2.0
// Small floating-point formats by table: each has at most 256 codes.
#include "ir/small_float.h"

#include <cmath>
#include <limits>

#include "base/check.h"

namespace cairn {
namespace {

struct Layout {
  int exponent_bits, mantissa_bits, bias;
  bool negative_zero_is_nan;  ///< The "UZ" types.
  bool ieee_specials;         ///< Inf and NaN as in IEEE 754 (f8e5m2).
  bool top_code_is_nan;       ///< Only S.1111.111 is NaN (f8e4m3fn).
};

Layout LayoutOf(ElementType type) {
  switch (type) {
    case ElementType::kF8E4M3FN: return {4, 3, 7, false, false, true};
    case ElementType::kF8E4M3FNUZ: return {4, 3, 8, true, false, false};
    case ElementType::kF8E5M2: return {5, 2, 15, false, true, false};
    case ElementType::kF8E5M2FNUZ: return {5, 2, 16, true, false, false};
    case ElementType::kF4E2M1: return {2, 1, 1, false, false, false};
    default: CAIRN_CHECK(false, "not a small floating-point type"); return {};
  }
}

}  // namespace

double SmallFloatToDouble(ElementType type, uint8_t code) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (type == ElementType::kF8E8M0) return code == 255 ? nan : std::ldexp(1.0, code - 127);
  const Layout l = LayoutOf(type);
  const int sign_bit = l.exponent_bits + l.mantissa_bits;
  const bool negative = (code >> sign_bit) & 1;
  const int exponent = (code >> l.mantissa_bits) & ((1 << l.exponent_bits) - 1);
  const int mantissa = code & ((1 << l.mantissa_bits) - 1);
  const int top = (1 << l.exponent_bits) - 1;
  if (l.negative_zero_is_nan && negative && exponent == 0 && mantissa == 0) return nan;
  if (l.ieee_specials && exponent == top) {
    if (mantissa != 0) return nan;
    return negative ? -std::numeric_limits<double>::infinity()
                    : std::numeric_limits<double>::infinity();
  }
  if (l.top_code_is_nan && exponent == top && mantissa == (1 << l.mantissa_bits) - 1) return nan;
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, 1 - l.bias - l.mantissa_bits)
                    : std::ldexp(mantissa + (1 << l.mantissa_bits),
                                 exponent - l.bias - l.mantissa_bits);
  return negative ? -magnitude : magnitude;
}

uint8_t DoubleToSmallFloat(ElementType type, double value) {
  const int codes = type == ElementType::kF4E2M1 ? 16 : 256;
  int nan_code = 0;
  for (int code = 0; code < codes; ++code) {
    if (std::isnan(SmallFloatToDouble(type, static_cast<uint8_t>(code)))) {
      nan_code = code;
      break;
    }
  }
  if (std::isnan(value)) return static_cast<uint8_t>(nan_code);
  int best = 0;
  double best_distance = std::numeric_limits<double>::infinity();
  for (int code = 0; code < codes; ++code) {
    const double candidate = SmallFloatToDouble(type, static_cast<uint8_t>(code));
    if (std::isnan(candidate)) continue;
    if (std::isinf(candidate)) {
      if (candidate == value) return static_cast<uint8_t>(code);
      continue;
    }
    const double clamped = std::isinf(value) ? std::copysign(std::numeric_limits<double>::max(), value)
                                             : value;
    const double distance = std::fabs(candidate - clamped);
    const bool tie_to_even = distance == best_distance && (code & 1) == 0 && (best & 1) == 1;
    const bool sign_matches = candidate != 0 || std::signbit(candidate) == std::signbit(value);
    if (distance < best_distance || (tie_to_even && candidate != 0) ||
        (distance == best_distance && candidate == 0 && sign_matches)) {
      best = code;
      best_distance = distance;
    }
  }
  return static_cast<uint8_t>(best);
}

}  // namespace cairn
