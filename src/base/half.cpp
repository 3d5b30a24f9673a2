// SPDX-License-Identifier: Apache-2.0
// Scalar half-precision conversions.
#include "base/half.h"

#include <cmath>

namespace cairn {
namespace {

/// Rounds `value` to a float such that a second rounding to at most 22 significant bits equals one
/// rounding of `value`: inexact results get their last bit set ("round to odd").
float F64ToF32RoundToOdd(double value) {
  const float nearest = static_cast<float>(value);
  if (std::isnan(value) || static_cast<double>(nearest) == value) return nearest;
  if (std::isinf(nearest)) return nearest;
  auto bits = std::bit_cast<uint32_t>(nearest);
  const bool too_far = std::fabs(static_cast<double>(nearest)) > std::fabs(value);
  if (too_far) --bits;  // The neighbour towards zero.
  return std::bit_cast<float>(bits | 1u);
}

}  // namespace

float F16ToF32(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  const uint32_t exponent = (half >> 10) & 0x1fu;
  const uint32_t mantissa = half & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent == 0) {
    const float magnitude = std::ldexp(static_cast<float>(mantissa), -24);
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
  }
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

uint16_t F32ToF16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u);
  if (magnitude >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);  // >= 65520
  if (magnitude < 0x38800000u) {  // Below 2^-14: a multiple of 2^-24.
    const float scaled = std::ldexp(std::bit_cast<float>(magnitude), 24);
    return static_cast<uint16_t>(sign | static_cast<uint16_t>(std::nearbyint(scaled)));
  }
  const uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
  return static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

uint16_t F64ToF16(double value) { return F32ToF16(F64ToF32RoundToOdd(value)); }
uint16_t F64ToBf16(double value) { return F32ToBf16(F64ToF32RoundToOdd(value)); }

}  // namespace cairn
