// SPDX-License-Identifier: Apache-2.0
// Scalar conversions of 16-bit floating-point storage, round to nearest even.
#pragma once

#include <bit>
#include <cstdint>

namespace cairn {

/// IEEE 754 binary16 to binary32; exact, NaN payloads kept in the high bits.
float F16ToF32(uint16_t bits);
/// Binary32 to binary16, nearest even, overflow to infinity, NaN stays NaN (quiet).
uint16_t F32ToF16(float value);
/// Binary64 to binary16 with one rounding.
uint16_t F64ToF16(double value);

/// bfloat16 to binary32; exact.
inline float Bf16ToF32(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}
/// Binary32 to bfloat16, nearest even, NaN stays NaN (quiet).
inline uint16_t F32ToBf16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((bits >> 16) | 0x40u);
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
/// Binary64 to bfloat16 with one rounding.
uint16_t F64ToBf16(double value);

}  // namespace cairn
