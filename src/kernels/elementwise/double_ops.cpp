// SPDX-License-Identifier: Apache-2.0
// Functions that need double precision inside: pow, sine and cosine.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/double_ops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>

#include "kernels/dispatch.h"
#include "kernels/elementwise/tile_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace {

using D64 = hn::Repartition<double, D>;
using V64 = hn::Vec<D64>;

// Applies F to both halves of the arguments in double precision and rounds once.
template <class F>
HWY_INLINE V InDouble(D d, V a, V b) {
  const D64 dd;
  const hn::Half<D> half;
  const V64 low = F::Call(dd, hn::PromoteTo(dd, hn::LowerHalf(half, a)),
                          hn::PromoteTo(dd, hn::LowerHalf(half, b)));
  const V64 high = F::Call(dd, hn::PromoteTo(dd, hn::UpperHalf(half, a)),
                           hn::PromoteTo(dd, hn::UpperHalf(half, b)));
  return hn::Combine(d, hn::DemoteTo(half, high), hn::DemoteTo(half, low));
}

HWY_INLINE V64 Horner(D64 d, V64 /*x*/, double c) { return hn::Set(d, c); }
template <class... Rest>
HWY_INLINE V64 Horner(D64 d, V64 x, double c, Rest... rest) {
  return hn::MulAdd(Horner(d, x, rest...), x, hn::Set(d, c));
}

// e^(y log x) for finite x > 0 and y, relative error about 1e-11 as long as the result is an f32.
struct PowPositive {
  static HWY_INLINE V64 Call(D64 d, V64 x, V64 y) {
    const hn::RebindToSigned<D64> di;
    const auto bits = hn::BitCast(di, x);
    const auto e = hn::ShiftRight<52>(hn::Sub(bits, hn::Set(di, 0x3fe6a09e667f3bcdLL)));
    const V64 m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<52>(e)));
    const V64 one = hn::Set(d, 1.0);
    // log m = 2 atanh(s), s = (m - 1) / (m + 1), |s| <= 0.1716: the series to s^15.
    const V64 s = hn::Div(hn::Sub(m, one), hn::Add(m, one));
    const V64 q = Horner(d, hn::Mul(s, s), 2.0, 2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11,
                         2.0 / 13, 2.0 / 15);
    // The exponent is a small integer: exact through the low mantissa bits of 1.5 * 2^52.
    const V64 magic = hn::Set(d, 6755399441055744.0);
    const V64 ef = hn::Sub(hn::BitCast(d, hn::Add(e, hn::BitCast(di, magic))), magic);
    const V64 log_x = hn::MulAdd(ef, hn::Set(d, 0.6931471805599453), hn::Mul(s, q));
    V64 t = hn::Mul(y, log_x);
    t = hn::Max(hn::Set(d, -200.0), hn::Min(hn::Set(d, 200.0), t));
    const V64 shifted = hn::MulAdd(t, hn::Set(d, 1.4426950408889634), magic);
    const V64 n = hn::Sub(shifted, magic);
    const V64 r = hn::NegMulAdd(n, hn::Set(d, 0.6931471805599453), t);
    const V64 p = Horner(d, r, 1.0, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720,
                         1.0 / 5040, 1.0 / 40320, 1.0 / 362880);
    return hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<52>(hn::BitCast(di, shifted))));
  }
};

// pow of IEEE 754: x^0 = 1^y = 1, negative x with whole y keeps the sign for odd y, else NaN.
struct Pow {
  static HWY_INLINE V Call(D d, V x, V y) {
    const V zero = hn::Zero(d), one = hn::Set(d, 1.0f), inf = hn::Inf(d);
    const V magnitude = hn::Abs(x);
    const auto ordinary = hn::And(hn::Gt(magnitude, zero), hn::Lt(magnitude, inf));
    const V finite_y = hn::Max(hn::Set(d, -1e30f), hn::Min(hn::Set(d, 1e30f), y));
    V result = InDouble<PowPositive>(d, hn::IfThenElse(ordinary, magnitude, one), finite_y);
    // 0 and infinity: 0 or infinity, by the sign of y.
    const auto grows = hn::Eq(magnitude, inf);
    const V large = hn::IfThenElse(hn::Xor(grows, hn::Lt(y, zero)), inf, zero);
    result = hn::IfThenElse(ordinary, result, large);
    const V half_y = hn::Mul(y, hn::Set(d, 0.5f));
    const auto whole = hn::Eq(hn::Trunc(y), y);
    const auto odd = hn::And(whole, hn::Ne(hn::Trunc(half_y), half_y));
    result = hn::IfThenElse(odd, hn::CopySign(result, x), result);
    const auto undefined = hn::And(hn::And(hn::Lt(x, zero), ordinary), hn::Not(whole));
    result = hn::IfThenElse(undefined, hn::NaN(d), result);
    result = hn::IfThenElse(hn::Or(hn::IsNaN(x), hn::IsNaN(y)), hn::NaN(d), result);
    const auto is_one = hn::Or(
        hn::Eq(y, zero), hn::Or(hn::Eq(x, one), hn::And(hn::Eq(magnitude, one), hn::IsInf(y))));
    return hn::IfThenElse(is_one, one, result);
  }
};

// x - n pi/2 for the quadrant n = `quadrant`, |x| < 2^30: pi/2 in two doubles.
struct ReduceQuadrant {
  static HWY_INLINE V64 Call(D64 d, V64 x, V64 quadrant) {
    const V64 r = hn::NegMulAdd(quadrant, hn::Set(d, 1.5707963267948966), x);
    return hn::NegMulAdd(quadrant, hn::Set(d, 6.123233995736766e-17), r);
  }
};
struct FindQuadrant {
  static HWY_INLINE V64 Call(D64 d, V64 x, V64 /*unused*/) {
    return hn::Round(hn::Mul(x, hn::Set(d, 0.6366197723675814)));
  }
};

// sin(x + shift * pi/2) for |x| < 2^24.
template <int kShift>
HWY_INLINE V SinOfModerate(D d, V x) {
  const hn::RebindToSigned<D> di;
  const V quadrant = InDouble<FindQuadrant>(d, x, x);
  const V r = InDouble<ReduceQuadrant>(d, x, quadrant);
  const auto q = hn::Add(hn::ConvertTo(di, quadrant), hn::Set(di, kShift));
  const V s = hn::Mul(r, r);
  const V sine =
      hn::MulAdd(hn::Mul(s, r),
                 hn::MulAdd(hn::MulAdd(hn::Set(d, -0.000195166547f), s, hn::Set(d, 0.00833217334f)),
                            s, hn::Set(d, -0.166666552f)),
                 r);
  V cosine = hn::MulAdd(hn::MulAdd(hn::Set(d, 2.44377279e-05f), s, hn::Set(d, -0.00138873619f)), s,
                        hn::Set(d, 0.0416666456f));
  cosine = hn::MulAdd(hn::Mul(s, s), cosine, hn::NegMulAdd(s, hn::Set(d, 0.5f), hn::Set(d, 1.0f)));
  const auto one = hn::Set(di, 1);
  const auto odd = hn::RebindMask(d, hn::Eq(hn::And(q, one), one));
  const V sign = hn::BitCast(d, hn::ShiftLeft<30>(hn::And(q, hn::Set(di, 2))));
  return hn::Xor(hn::IfThenElse(odd, cosine, sine), sign);
}

template <int kShift>
struct SinShifted {
  static HWY_INLINE V Call(D d, V x) {
    const auto moderate = hn::Lt(hn::Abs(x), hn::Set(d, 16777216.0f));
    const V y = SinOfModerate<kShift>(d, hn::IfThenElseZero(moderate, x));
    if (hn::AllTrue(d, moderate)) return y;
    alignas(64) float in[hn::MaxLanes(D())], out[hn::MaxLanes(D())];
    hn::Store(x, d, in);
    hn::Store(y, d, out);
    for (size_t i = 0; i < hn::Lanes(d); ++i) {
      if (std::abs(in[i]) < 16777216.0f) continue;
      out[i] = static_cast<float>(kShift ? std::cos(double{in[i]}) : std::sin(double{in[i]}));
    }
    return hn::Load(d, out);
  }
};

}  // namespace

const TileOpTable* DoubleTileOps() {
  static const TileOpTable table = [] {
    TileOpTable t{};
    const auto set = [&t](EltOp op, TileOpFn fn) { t.ops[static_cast<int>(op)] = fn; };
    set(EltOp::kPow, TileLoop<Pow, 2>);
    set(EltOp::kSin, TileLoop<SinShifted<0>, 1>);
    set(EltOp::kCos, TileLoop<SinShifted<1>, 1>);
    return t;
  }();
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace cairn::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::kernels {
namespace {
auto Select(Isa isa) -> const TileOpTable* (*)() { CAIRN_SELECT(isa, DoubleTileOps) }
}  // namespace
const TileOpTable* GetDoubleTileOps(Isa isa) {
  const auto table = Select(isa);
  return table ? table() : nullptr;
}
}  // namespace cairn::kernels
#endif
