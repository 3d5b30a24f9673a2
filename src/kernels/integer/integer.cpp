// SPDX-License-Identifier: Apache-2.0
// One loop per operation and type.
#include "kernels/integer/integer.h"

#include <limits>
#include <type_traits>

namespace cairn::kernels {
namespace {

// Unsigned, and never narrower than int: wrapping arithmetic without promotion to a signed type.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

template <class T>
T Wrap(Wrapping<T> value) {
  return static_cast<T>(value);
}

template <class T>
T Power(T base, T exponent) {
  if (std::is_signed_v<T> && exponent < 0) {
    if (base == 1) return 1;
    if (base == static_cast<T>(-1)) return exponent % 2 != 0 ? static_cast<T>(-1) : T{1};
    return 0;
  }
  Wrapping<T> result = 1, factor = static_cast<Wrapping<T>>(base);
  for (auto e = static_cast<std::make_unsigned_t<T>>(exponent); e != 0; e = e >> 1) {
    if (e & 1) result *= factor;
    factor *= factor;
  }
  return Wrap<T>(result);
}

template <class T>
T Divide(T a, T b, bool& zero) {
  if (b == 0) {
    zero = true;
    return 0;
  }
  // The one quotient that does not fit wraps around.
  if (std::is_signed_v<T> && b == static_cast<T>(-1))
    return Wrap<T>(0 - static_cast<Wrapping<T>>(a));
  return static_cast<T>(a / b);
}

template <class T>
T Remainder(T a, T b, bool sign_of_divisor, bool& zero) {
  if (b == 0) {
    zero = true;
    return 0;
  }
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
  const T r = static_cast<T>(a % b);
  return sign_of_divisor && r != 0 && (r < 0) != (b < 0) ? static_cast<T>(r + b) : r;
}

// To the right the sign is extended; a shift by the width or more, or by less than 0, leaves nothing
// but the sign.
template <class T>
T Shift(T a, T b, bool left) {
  using U = std::make_unsigned_t<T>;
  const auto distance = static_cast<U>(b);
  if (distance >= std::numeric_limits<U>::digits) return static_cast<T>(!left && a < 0 ? -1 : 0);
  const auto bits = static_cast<U>(a);
  return static_cast<T>(left ? static_cast<Wrapping<T>>(bits) << distance : a >> distance);
}

template <class T, IntegerOp kOp>
auto Compute(T a, T b, bool& zero) {
  using W = Wrapping<T>;
  const W x = static_cast<W>(a), y = static_cast<W>(b);
  if constexpr (kOp == IntegerOp::kAdd) return Wrap<T>(x + y);
  if constexpr (kOp == IntegerOp::kSub) return Wrap<T>(x - y);
  if constexpr (kOp == IntegerOp::kMul) return Wrap<T>(x * y);
  if constexpr (kOp == IntegerOp::kDiv) return Divide(a, b, zero);
  if constexpr (kOp == IntegerOp::kMod) return Remainder(a, b, true, zero);
  if constexpr (kOp == IntegerOp::kFmod) return Remainder(a, b, false, zero);
  if constexpr (kOp == IntegerOp::kMin) return b < a ? b : a;
  if constexpr (kOp == IntegerOp::kMax) return b > a ? b : a;
  if constexpr (kOp == IntegerOp::kPow) return Power(a, b);
  if constexpr (kOp == IntegerOp::kAnd) return Wrap<T>(x & y);
  if constexpr (kOp == IntegerOp::kOr) return Wrap<T>(x | y);
  if constexpr (kOp == IntegerOp::kXor) return Wrap<T>(x ^ y);
  if constexpr (kOp == IntegerOp::kShiftLeft) return Shift(a, b, true);
  if constexpr (kOp == IntegerOp::kShiftRight) return Shift(a, b, false);
  if constexpr (kOp == IntegerOp::kEqual) return static_cast<uint8_t>(a == b);
  if constexpr (kOp == IntegerOp::kNotEqual) return static_cast<uint8_t>(a != b);
  if constexpr (kOp == IntegerOp::kLess) return static_cast<uint8_t>(a < b);
  if constexpr (kOp == IntegerOp::kLessEqual) return static_cast<uint8_t>(a <= b);
  if constexpr (kOp == IntegerOp::kGreater) return static_cast<uint8_t>(a > b);
  if constexpr (kOp == IntegerOp::kGreaterEqual) return static_cast<uint8_t>(a >= b);
  if constexpr (kOp == IntegerOp::kNeg) return Wrap<T>(0 - x);
  if constexpr (kOp == IntegerOp::kAbs) return a < 0 ? Wrap<T>(0 - x) : a;
  if constexpr (kOp == IntegerOp::kSign) return static_cast<T>((a > 0) - (a < 0));
  if constexpr (kOp == IntegerOp::kNot) return Wrap<T>(~x);
}

template <class T, IntegerOp kOp>
Fault RunTyped(const IntegerParams& p, const IntegerBuffers& buffers, Part part) {
  bool zero = false;
  using Out = decltype(Compute<T, kOp>(T{}, T{}, zero));
  constexpr bool kUnary = kOp >= IntegerOp::kNeg;
  const int last = p.shape.rank - 1;
  std::array<int64_t, 3> step{};
  for (int k = 0; k < 3 && last >= 0; ++k) step[k] = p.shape.strides[k][last];
  const T* const a0 = static_cast<const T*>(buffers.a);
  const T* const b0 = static_cast<const T*>(kUnary ? buffers.a : buffers.b);
  ForEachRow(p.shape, part, [&](const std::array<int64_t, 3>& at, int64_t count) {
    Out* dst = static_cast<Out*>(buffers.dst) + at[0];
    const T* a = a0 + at[1];
    const T* b = kUnary ? a : b0 + at[2];
    for (int64_t i = 0; i < count; ++i) {
      const T y = kUnary ? T{} : b[i * step[2]];
      dst[i * step[0]] = Compute<T, kOp>(a[i * step[1]], y, zero);
    }
  });
  return zero ? Fault::kDivisionByZero : Fault::kNone;
}

using RunFn = Fault (*)(const IntegerParams&, const IntegerBuffers&, Part);

template <class T, int... kOps>
RunFn FindRun(IntegerOp op, std::integer_sequence<int, kOps...>) {
  static constexpr RunFn kTable[] = {RunTyped<T, static_cast<IntegerOp>(kOps)>...};
  return kTable[static_cast<int>(op)];
}

template <class T>
RunFn FindRun(IntegerOp op) {
  constexpr int kCount = static_cast<int>(IntegerOp::kNot) + 1;
  return FindRun<T>(op, std::make_integer_sequence<int, kCount>());
}

RunFn FindRun(ElementType type, IntegerOp op) {
  switch (type) {
    case ElementType::kI8:
      return FindRun<int8_t>(op);
    case ElementType::kU8:
    case ElementType::kBool:
      return FindRun<uint8_t>(op);
    case ElementType::kI16:
      return FindRun<int16_t>(op);
    case ElementType::kU16:
      return FindRun<uint16_t>(op);
    case ElementType::kI32:
      return FindRun<int32_t>(op);
    case ElementType::kU32:
      return FindRun<uint32_t>(op);
    case ElementType::kI64:
      return FindRun<int64_t>(op);
    case ElementType::kU64:
      return FindRun<uint64_t>(op);
    default:
      return nullptr;
  }
}

}  // namespace

bool SupportsInteger(ElementType type) { return FindRun(type, IntegerOp::kAdd) != nullptr; }

Fault RunInteger(const IntegerParams& params, const IntegerBuffers& buffers, int /*phase*/,
                 Part part) {
  if (params.shape.Count() == 0) return Fault::kNone;
  return FindRun(params.type, params.op)(params, buffers, part);
}

}  // namespace cairn::kernels
