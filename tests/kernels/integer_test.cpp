// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic against arbitrary-width arithmetic reduced to the type.
#include "kernels/integer/integer.h"

#include "kernel_testing.h"

namespace cairn::kernels {
namespace {

using Wide = __int128;

// The result before wrapping, and whether the operation divides by zero.
Wide Exact(IntegerOp op, Wide a, Wide b, int bits, bool& fault) {
  const Wide mask = (Wide{1} << bits) - 1;
  switch (op) {
    case IntegerOp::kAdd:
      return a + b;
    case IntegerOp::kSub:
      return a - b;
    case IntegerOp::kMul:
      return static_cast<Wide>(static_cast<unsigned __int128>(a) * b);
    case IntegerOp::kDiv:
    case IntegerOp::kMod:
    case IntegerOp::kFmod: {
      if (b == 0) {
        fault = true;
        return 0;
      }
      if (op == IntegerOp::kDiv) return a / b;
      const Wide r = a % b;
      return op == IntegerOp::kMod && r != 0 && (r < 0) != (b < 0) ? r + b : r;
    }
    case IntegerOp::kMin:
      return std::min(a, b);
    case IntegerOp::kMax:
      return std::max(a, b);
    case IntegerOp::kPow: {
      if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;
      unsigned __int128 result = 1;
      for (Wide i = 0; i < b; ++i)
        result =
            (result * static_cast<unsigned __int128>(a)) & static_cast<unsigned __int128>(mask);
      return static_cast<Wide>(result);
    }
    case IntegerOp::kAnd:
      return a & b;
    case IntegerOp::kOr:
      return a | b;
    case IntegerOp::kXor:
      return a ^ b;
    case IntegerOp::kShiftLeft:
      return (b & mask) >= bits ? 0 : (a & mask) << static_cast<int>(b);
    case IntegerOp::kShiftRight:
      return (b & mask) >= bits ? (a < 0 ? -1 : 0) : a >> static_cast<int>(b);
    case IntegerOp::kEqual:
      return a == b;
    case IntegerOp::kNotEqual:
      return a != b;
    case IntegerOp::kLess:
      return a < b;
    case IntegerOp::kLessEqual:
      return a <= b;
    case IntegerOp::kGreater:
      return a > b;
    case IntegerOp::kGreaterEqual:
      return a >= b;
    case IntegerOp::kNeg:
      return -a;
    case IntegerOp::kAbs:
      return a < 0 ? -a : a;
    case IntegerOp::kSign:
      return (a > 0) - (a < 0);
    case IntegerOp::kNot:
      return ~a;
  }
  return 0;
}

template <class T>
void CheckType(ElementType type) {
  ASSERT_TRUE(SupportsInteger(type));
  std::vector<T> values = {0,
                           1,
                           2,
                           3,
                           7,
                           static_cast<T>(-1),
                           static_cast<T>(-2),
                           static_cast<T>(-5),
                           std::numeric_limits<T>::max(),
                           std::numeric_limits<T>::min(),
                           63,
                           8};
  const auto n = static_cast<int64_t>(values.size());
  for (int k = 0; k <= static_cast<int>(IntegerOp::kNot); ++k) {
    const auto op = static_cast<IntegerOp>(k);
    // All pairs: a along rows, b along columns.
    IntegerParams p{op, type, {}};
    p.shape.rank = 2;
    p.shape.dims = {n, n};
    p.shape.strides[0] = {n, 1};
    p.shape.strides[1] = {1, 0};
    p.shape.strides[2] = {0, 1};
    // Powers are computed by repeated multiplication here: keep the exponents small.
    std::vector<T> b = values;
    for (T& x : b) {
      if (op == IntegerOp::kPow && x > 63) x = 5;
    }
    const int64_t out_bytes = IsComparison(op) ? 1 : sizeof(T);
    for (int parts : {1, 3}) {
      std::vector<uint8_t> dst(n * n * out_bytes);
      bool fault = false, expected_fault = false;
      RunParts(IntegerPhases(p), parts, [&](int phase, Part part) {
        fault |= RunInteger(p, {values.data(), b.data(), dst.data()}, phase, part) != Fault::kNone;
      });
      for (int64_t i = 0; i < n * n; ++i) {
        const Wide exact = Exact(op, values[i / n], b[i % n], 8 * sizeof(T), expected_fault);
        T found;
        if (IsComparison(op)) {
          found = dst[i];
        } else {
          std::memcpy(&found, &dst[i * sizeof(T)], sizeof(T));
        }
        ASSERT_EQ(found, static_cast<T>(exact))
            << "operation " << k << " of " << +values[i / n] << " and " << +b[i % n];
      }
      ASSERT_EQ(fault, expected_fault) << k;
    }
  }
}

TEST(Integer, MatchesWideArithmeticInEveryType) {
  CheckType<int8_t>(ElementType::kI8);
  CheckType<uint8_t>(ElementType::kU8);
  CheckType<int16_t>(ElementType::kI16);
  CheckType<uint16_t>(ElementType::kU16);
  CheckType<int32_t>(ElementType::kI32);
  CheckType<uint32_t>(ElementType::kU32);
  CheckType<int64_t>(ElementType::kI64);
  CheckType<uint64_t>(ElementType::kU64);
}

TEST(Integer, HandlesScalarsAndEmptyTensors) {
  IntegerParams p{IntegerOp::kAdd, ElementType::kI64, {}};
  const int64_t a = 40, b = 2;
  int64_t dst = 0;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(RunInteger(p, {&a, &b, &dst}, 0, {i, 2}), Fault::kNone);
  }
  EXPECT_EQ(dst, 42);
  p.shape.rank = 1;
  EXPECT_EQ(RunInteger(p, {&a, &b, &dst}, 0, {0, 1}), Fault::kNone);
  EXPECT_EQ(dst, 42);
  EXPECT_FALSE(SupportsInteger(ElementType::kF32));
}

}  // namespace
}  // namespace cairn::kernels
