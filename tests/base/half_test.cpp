// SPDX-License-Identifier: Apache-2.0
// Scalar half conversions: every code, and rounding at the midpoints.
#include "base/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cairn {
namespace {

TEST(Half, EveryF16CodeSurvivesTheRoundTrip) {
  for (uint32_t code = 0; code < 0x10000; ++code) {
    const float value = F16ToF32(static_cast<uint16_t>(code));
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(F16ToF32(F32ToF16(value))));
    } else {
      EXPECT_EQ(F32ToF16(value), code);
    }
  }
}

TEST(Half, RoundsToNearestEven) {
  EXPECT_EQ(F32ToF16(1.0f + 0x1p-11f), F32ToF16(1.0f));
  EXPECT_EQ(F32ToF16(1.0f + 3 * 0x1p-11f), F32ToF16(1.0f + 0x1p-9f));
  EXPECT_EQ(F32ToF16(65519.0f), 0x7bff);
  EXPECT_EQ(F32ToF16(65520.0f), 0x7c00);
  EXPECT_EQ(F32ToF16(0x1p-25f), 0);
  EXPECT_EQ(F32ToF16(0x1.8p-25f), 1);
  EXPECT_EQ(F32ToBf16(1.0f + 0x1p-8f), 0x3f80);
  EXPECT_TRUE(std::isnan(Bf16ToF32(F32ToBf16(std::numeric_limits<float>::quiet_NaN()))));
}

TEST(Half, DoublesRoundOnce) {
  // 1 + 2^-11 + 2^-40 lies above the midpoint; through float it would land on it and go down.
  EXPECT_EQ(F64ToF16(1.0 + 0x1p-11 + 0x1p-40), 0x3c01);
  EXPECT_EQ(F64ToBf16(1.0 + 0x1p-8 + 0x1p-40), 0x3f81);
}

}  // namespace
}  // namespace cairn
