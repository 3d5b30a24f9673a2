// SPDX-License-Identifier: Apache-2.0
// exp, log, tanh, erf and relatives on f32 vectors; included once per instruction set.
//
// Largest errors against the exact value, in units in the last place, on normal results
// (tests/kernels/vector_math_test.cpp holds them to these bounds):
//   exp 1.1   expm1 1.6   log 1.1   sigmoid 2.6   tanh 2.6   erf 1.8   softplus 2.4
//   silu 3.1  mish 4      gelu 4 for x > -0.5
//   gelu below -0.5, where it falls to zero: 2e-7 * |x| absolute; gelu_tanh: 3e-7 * |x|
//   sin, cos 1.5 and pow 1 (double_ops.cpp)
// Special values: exp(-inf) = 0, exp(x > 88.73) = inf, log(0) = -inf, log(x < 0) = NaN; NaN stays
// NaN. Polynomials are minimax fits (weighted least squares, reweighted) made for these intervals.
#include <hwy/highway.h>

#if defined(CAIRN_VECTOR_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_VECTOR_MATH_INL_H_
#undef CAIRN_VECTOR_MATH_INL_H_
#else
#define CAIRN_VECTOR_MATH_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace math {
namespace hn = hwy::HWY_NAMESPACE;

/// c0 + x * (c1 + x * (...)).
template <class D, class V>
HWY_INLINE V Polynomial(D d, V /*x*/, float c) {
  return hn::Set(d, c);
}
template <class D, class V, class... Rest>
HWY_INLINE V Polynomial(D d, V x, float c, Rest... rest) {
  return hn::MulAdd(Polynomial(d, x, rest...), x, hn::Set(d, c));
}

/// min(limit, x) that returns x when x is NaN: on x86 the second operand wins.
template <class D, class V>
HWY_INLINE V AtMost(D d, V x, float limit) {
  return hn::Min(hn::Set(d, limit), x);
}
template <class D, class V>
HWY_INLINE V AtLeast(D d, V x, float limit) {
  return hn::Max(hn::Set(d, limit), x);
}

/// Splits x into n * ln 2 + r with |r| <= ln 2 / 2, returns e^r - 1, and sets n for |x| < 2^20.
/// Adding 1.5 * 2^23 rounds to an integer and leaves it in the low bits. For a NaN the result is
/// NaN and the lowest 9 bits of n are 0.
template <class D, class V, class VI>
HWY_INLINE V ExpReduced(D d, V x, VI& n) {
  const hn::RebindToSigned<D> di;
  const V magic = hn::Set(d, 12582912.0f);
  const V shifted = hn::MulAdd(x, hn::Set(d, 1.44269504f), magic);
  n = hn::Sub(hn::BitCast(di, shifted), hn::BitCast(di, magic));
  const V whole = hn::Sub(shifted, magic);
  V r = hn::NegMulAdd(whole, hn::Set(d, 0.693359375f), x);
  r = hn::NegMulAdd(whole, hn::Set(d, -2.12194440e-4f), r);
  const V tail =
      Polynomial(d, r, 0.49999994f, 0.166665196f, 0.0416683927f, 0.00836878084f, 0.00138144649f);
  return hn::MulAdd(hn::Mul(r, r), tail, r);
}

/// 2^n for -126 <= n <= 127.
template <class D, class VI>
HWY_INLINE hn::Vec<D> PowerOfTwo(D d, VI n) {
  const hn::RebindToSigned<D> di;
  return hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(n, hn::Set(di, 127))));
}

template <class D, class V>
HWY_INLINE V Exp(D d, V x) {
  const hn::RebindToSigned<D> di;
  x = AtLeast(d, AtMost(d, x, 89.0f), -104.0f);
  hn::Vec<hn::RebindToSigned<D>> n = hn::Zero(di);
  const V p = hn::Add(ExpReduced(d, x, n), hn::Set(d, 1.0f));
  // Two factors, since 2^n alone leaves the normal range at both ends.
  const auto half = hn::ShiftRight<1>(n);
  return hn::Mul(hn::Mul(p, PowerOfTwo(d, half)), PowerOfTwo(d, hn::Sub(n, half)));
}

/// e^x for x <= 0, cheaper; results below the normal range become 0.
template <class D, class V>
HWY_INLINE V ExpOfNonPositive(D d, V x) {
  const hn::RebindToSigned<D> di;
  hn::Vec<hn::RebindToSigned<D>> n = hn::Zero(di);
  const V p = hn::Add(ExpReduced(d, AtLeast(d, x, -87.4f), n), hn::Set(d, 1.0f));
  const V scaled = hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(n)));
  return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -87.33f)), scaled);
}

/// e^x - 1 without cancellation near 0.
template <class D, class V>
HWY_INLINE V Expm1(D d, V x) {
  const hn::RebindToSigned<D> di;
  x = AtLeast(d, AtMost(d, x, 89.0f), -25.0f);
  hn::Vec<hn::RebindToSigned<D>> n = hn::Zero(di);
  const V q = ExpReduced(d, x, n);
  const V half_scale = PowerOfTwo(d, hn::Sub(n, hn::Set(di, 1)));
  const V half = hn::MulAdd(q, half_scale, hn::Sub(half_scale, hn::Set(d, 0.5f)));
  return hn::Add(half, half);
}

/// log(1 + f) for 1 + f in [sqrt(1/2), sqrt(2)], plus e * log 2.
template <class D, class V>
HWY_INLINE V LogOfReduced(D d, V f, V e) {
  const V p = Polynomial(d, f, 0.333333105f, -0.249999866f, 0.200022265f, -0.166692495f,
                         0.142186552f, -0.1238437f, 0.118730165f, -0.117896959f, 0.0691514686f);
  const V square = hn::Mul(f, f);
  V tail = hn::Mul(hn::Mul(square, f), p);
  tail = hn::MulAdd(e, hn::Set(d, -2.12194440e-4f), tail);
  tail = hn::NegMulAdd(square, hn::Set(d, 0.5f), tail);
  return hn::MulAdd(e, hn::Set(d, 0.693359375f), hn::Add(f, tail));
}

template <class D, class V>
HWY_INLINE V Log(D d, V x) {
  const hn::RebindToSigned<D> di;
  const auto denormal = hn::Lt(x, hn::Set(d, 1.17549435e-38f));
  const V normal = hn::IfThenElse(denormal, hn::Mul(x, hn::Set(d, 8388608.0f)), x);
  // 0x3f3504f3 is sqrt(1/2): the exponent of the quotient, and the mantissa around 1.
  const auto bits = hn::BitCast(di, normal);
  const auto exponent = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(di, 0x3f3504f3)));
  const V m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(exponent)));
  const V e = hn::Sub(hn::ConvertTo(d, exponent), hn::IfThenElseZero(denormal, hn::Set(d, 23.0f)));
  V y = LogOfReduced(d, hn::Sub(m, hn::Set(d, 1.0f)), e);
  const V inf = hn::Inf(d);
  y = hn::IfThenElse(hn::Lt(x, inf), y, x);  // +inf and NaN stay.
  y = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(inf), y);
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::NaN(d), y);
}

/// log(1 + y) for 0 <= y <= 1.
template <class D, class V>
HWY_INLINE V Log1pOfUnit(D d, V y) {
  const auto big = hn::Gt(y, hn::Set(d, 0.41421356f));
  const V halved = hn::Mul(hn::Sub(y, hn::Set(d, 1.0f)), hn::Set(d, 0.5f));
  return LogOfReduced(d, hn::IfThenElse(big, halved, y), hn::IfThenElseZero(big, hn::Set(d, 1.0f)));
}

template <class D, class V>
HWY_INLINE V Sigmoid(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  return hn::Div(one, hn::Add(one, Exp(d, hn::Neg(x))));
}

template <class D, class V>
HWY_INLINE V Tanh(D d, V x) {
  const V t = AtMost(d, hn::Abs(x), 10.0f);
  const V e = Expm1(d, hn::Add(t, t));
  return hn::CopySign(hn::Div(e, hn::Add(e, hn::Set(d, 2.0f))), x);
}

/// log(1 + e^x).
template <class D, class V>
HWY_INLINE V Softplus(D d, V x) {
  const V e = ExpOfNonPositive(d, hn::Neg(hn::Abs(x)));
  return hn::Add(hn::Max(hn::Zero(d), x), Log1pOfUnit(d, e));
}

/// erf(t) for |t| <= 0.9.
template <class D, class V>
HWY_INLINE V ErfOfSmall(D d, V t) {
  const V p = Polynomial(d, hn::Mul(t, t), 0.128379151f, -0.376125336f, 0.112822302f,
                         -0.0267819576f, 0.00501622818f, -0.000611129159f);
  return hn::MulAdd(t, p, t);
}
/// 1 - erf(t) for t >= 0.9: e^(t * p(t)), where p fits log(erfc(t)) / t up to 10 and keeps falling.
template <class D, class V>
HWY_INLINE V ErfcOfLarge(D d, V t) {
  const V p =
      Polynomial(d, t, -1.12872696f, -0.634706318f, -0.107184678f, 0.0247643944f, -0.00421414012f,
                 0.00049863226f, -3.82808175e-05f, 1.69945497e-06f, -3.29368959e-08f);
  return ExpOfNonPositive(d, hn::Mul(t, p));
}

template <class D, class V>
HWY_INLINE V Erf(D d, V x) {
  const V t = hn::Abs(x);
  const V large = hn::Sub(hn::Set(d, 1.0f), ErfcOfLarge(d, AtMost(d, t, 10.0f)));
  const V y = hn::IfThenElse(hn::Gt(t, hn::Set(d, 0.9f)), large, ErfOfSmall(d, t));
  return hn::CopySign(y, x);
}

/// x * (1 + erf(x / sqrt 2)) / 2 with a rational erf(t) = t P(t^2) / Q(t^2): absolute error below
/// 3e-7, three times faster than Erf. It is +-1 exactly from |t| = 3.92 on, so the result vanishes.
template <class D, class V>
HWY_INLINE V Gelu(D d, V x) {
  const V t = AtLeast(d, AtMost(d, hn::Mul(x, hn::Set(d, 0.707106781f)), 3.92f), -3.92f);
  const V s = hn::Mul(t, t);
  const V p = Polynomial(d, s, 1.12837911f, 0.190406904f, 0.0527487807f, 0.00376563822f,
                         0.000284883514f, 2.05008814e-06f);
  const V q = Polynomial(d, s, 1.0f, 0.502076447f, 0.114109285f, 0.0149692558f, 0.00116254168f,
                         3.80917409e-05f);
  const V erf = AtLeast(d, AtMost(d, hn::Div(hn::Mul(t, p), q), 1.0f), -1.0f);
  const V half = hn::Mul(x, hn::Set(d, 0.5f));
  return hn::MulAdd(half, erf, half);
}

/// x * (1 + tanh(u)) / 2 = x / (1 + e^(-2u)), u = sqrt(2 / pi) * (x + 0.044715 x^3).
template <class D, class V>
HWY_INLINE V GeluTanh(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  const V cubic = hn::MulAdd(hn::Mul(x, x), hn::Set(d, 0.044715f), one);
  const V minus_2u = hn::Mul(hn::Mul(x, hn::Set(d, -1.59576912f)), cubic);
  return hn::Div(x, hn::Add(one, Exp(d, minus_2u)));
}

template <class D, class V>
HWY_INLINE V Silu(D d, V x) {
  return hn::Div(x, hn::Add(hn::Set(d, 1.0f), Exp(d, hn::Neg(x))));
}

/// x * tanh(log(1 + e^x)) = x * w / (w + 2) with w = e^x (e^x + 2); from 20 on it is x.
template <class D, class V>
HWY_INLINE V Mish(D d, V x) {
  const V e = Exp(d, AtMost(d, x, 20.0f));
  const V w = hn::Mul(e, hn::Add(e, hn::Set(d, 2.0f)));
  return hn::Mul(x, hn::Div(w, hn::Add(w, hn::Set(d, 2.0f))));
}

}  // namespace math
}  // namespace HWY_NAMESPACE
}  // namespace cairn::kernels
HWY_AFTER_NAMESPACE();

#endif  // include guard
