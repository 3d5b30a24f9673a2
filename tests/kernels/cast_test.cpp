// SPDX-License-Identifier: Apache-2.0
// Casts between all numeric types: exact values survive, the rest rounds, saturates or wraps as
// stated.
#include "kernels/movement/cast.h"

#include "base/half.h"
#include "kernel_testing.h"

namespace cairn::kernels {
namespace {

constexpr ElementType kTypes[] = {
    ElementType::kF32, ElementType::kF64, ElementType::kF16, ElementType::kBf16, ElementType::kI8,
    ElementType::kU8,  ElementType::kI16, ElementType::kU16, ElementType::kI32,  ElementType::kU32,
    ElementType::kI64, ElementType::kU64, ElementType::kBool};

template <class S>
std::vector<uint8_t> Cast(ElementType from, ElementType to, const std::vector<S>& src,
                          int parts = 1) {
  std::vector<uint8_t> dst(ElementBytes(to, src.size()));
  const CastParams p{AvailableIsas().front(), from, to, static_cast<int64_t>(src.size())};
  RunParts(CastPhases(p), parts, [&](int phase, Part part) {
    RunCast(p, {src.data(), dst.data()}, phase, part);
  });
  return dst;
}
template <class T>
std::vector<T> As(const std::vector<uint8_t>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(Cast, SmallIntegersSurviveEveryPairOfTypes) {
  std::vector<float> values(300);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 101);
  for (ElementType a : kTypes) {
    ASSERT_TRUE(SupportsCast(a));
    for (ElementType b : kTypes) {
      for (int parts : {1, 3}) {
        const auto there = Cast(ElementType::kF32, a, values);
        const int64_t count = static_cast<int64_t>(values.size());
        std::vector<uint8_t> dst(ElementBytes(b, count));
        const CastParams p{AvailableIsas().front(), a, b, count};
        RunParts(1, parts, [&](int phase, Part part) {
          RunCast(p, {there.data(), dst.data()}, phase, part);
        });
        std::vector<float> found(count);
        RunCast({p.isa, b, ElementType::kF32, count}, {dst.data(), found.data()}, 0, {0, 1});
        for (int64_t i = 0; i < count; ++i) {
          const bool truth = a == ElementType::kBool || b == ElementType::kBool;
          ASSERT_EQ(found[i], truth ? values[i] != 0 : values[i]) << a << " to " << b;
        }
      }
    }
  }
  EXPECT_FALSE(SupportsCast(ElementType::kString));
  EXPECT_FALSE(SupportsCast(ElementType::kI4));
}

TEST(Cast, FloatsSaturateAndTruncate) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x = {1.9f, -1.9f, 1e20f, -1e20f, nan, 255.5f, 256.0f, -0.5f};
  EXPECT_EQ(As<uint8_t>(Cast(ElementType::kF32, ElementType::kU8, x)),
            (std::vector<uint8_t>{1, 0, 255, 0, 0, 255, 255, 0}));
  EXPECT_EQ(As<int64_t>(Cast(ElementType::kF32, ElementType::kI64, x)),
            (std::vector<int64_t>{1, -1, INT64_MAX, INT64_MIN, 0, 255, 256, 0}));
  EXPECT_EQ(As<int32_t>(Cast(ElementType::kF32, ElementType::kI32, x)),
            (std::vector<int32_t>{1, -1, INT32_MAX, INT32_MIN, 0, 255, 256, 0}));
  EXPECT_EQ(As<uint8_t>(Cast(ElementType::kF32, ElementType::kBool, x)),
            (std::vector<uint8_t>{1, 1, 1, 1, 1, 1, 1, 1}));
}

TEST(Cast, IntegersWrapAndRoundOnce) {
  const std::vector<int64_t> x = {257, -1, (int64_t{1} << 53) + 1, INT64_MIN, 16777217};
  EXPECT_EQ(As<uint8_t>(Cast(ElementType::kI64, ElementType::kU8, x)),
            (std::vector<uint8_t>{1, 255, 1, 0, 1}));
  EXPECT_EQ(
      As<float>(Cast(ElementType::kI64, ElementType::kF32, x)),
      (std::vector<float>{257, -1, 9007199254740992.0f, -9223372036854775808.0f, 16777216.0f}));
  EXPECT_EQ(As<double>(Cast(ElementType::kI64, ElementType::kF64, x))[4], 16777217.0);
}

TEST(Cast, DoubleToHalfRoundsOnce) {
  // Just above the middle between two halves; through f32 it would become the middle.
  const std::vector<double> x = {1.00048828125 + 1e-12, 1.00048828125};
  const auto half = As<uint16_t>(Cast(ElementType::kF64, ElementType::kF16, x));
  EXPECT_EQ(F16ToF32(half[0]), 1.0009765625f);
  EXPECT_EQ(F16ToF32(half[1]), 1.0f);
}

}  // namespace
}  // namespace cairn::kernels
