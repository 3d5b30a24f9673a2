// SPDX-License-Identifier: Apache-2.0
// Arithmetic and rounding operations of the element-wise engine.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/arithmetic_ops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/dispatch.h"
#include "kernels/elementwise/tile_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace {

CAIRN_TILE_OP1(Copy, a)
CAIRN_TILE_OP2(Add, hn::Add(a, b))
CAIRN_TILE_OP2(Sub, hn::Sub(a, b))
CAIRN_TILE_OP2(Mul, hn::Mul(a, b))
CAIRN_TILE_OP2(Div, hn::Div(a, b))
// On x86 Min and Max return the second operand when one is NaN, so only a NaN in a needs care.
CAIRN_TILE_OP2(Min, hn::IfThenElse(hn::IsNaN(a), a, hn::Min(a, b)))
CAIRN_TILE_OP2(Max, hn::IfThenElse(hn::IsNaN(a), a, hn::Max(a, b)))
CAIRN_TILE_OP3(MulAdd, hn::MulAdd(a, b, c))
CAIRN_TILE_OP1(Neg, hn::Neg(a))
CAIRN_TILE_OP1(Abs, hn::Abs(a))
CAIRN_TILE_OP1(Sqrt, hn::Sqrt(a))
CAIRN_TILE_OP1(Rsqrt, hn::Div(hn::Set(d, 1.0f), hn::Sqrt(a)))
CAIRN_TILE_OP1(Reciprocal, hn::Div(hn::Set(d, 1.0f), a))
CAIRN_TILE_OP1(Square, hn::Mul(a, a))
CAIRN_TILE_OP1(Cube, hn::Mul(hn::Mul(a, a), a))
CAIRN_TILE_OP1(Floor, hn::Floor(a))
CAIRN_TILE_OP1(Ceil, hn::Ceil(a))
CAIRN_TILE_OP1(Round, hn::Round(a))
CAIRN_TILE_OP1(Trunc, hn::Trunc(a))

struct Sign {
  static HWY_INLINE V Call(D d, V a) {
    const V zero = hn::Zero(d), one = hn::Set(d, 1.0f);
    const V magnitude = hn::IfThenElse(hn::Eq(a, zero), zero, hn::CopySign(one, a));
    return hn::IfThenElse(hn::IsNaN(a), a, magnitude);
  }
};

struct RoundF16 {
  static HWY_INLINE V Call(D d, V a) {
    const hn::Rebind<hwy::float16_t, D> half;
    return hn::PromoteTo(d, hn::DemoteTo(half, a));
  }
};

// Adds half of the last kept bit, minus one when that bit is 0; NaN stays.
struct RoundBf16 {
  static HWY_INLINE V Call(D d, V a) {
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::BitCast(du, a);
    const auto last = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
    const auto rounded = hn::Add(bits, hn::Add(last, hn::Set(du, 0x7fff)));
    const V kept = hn::BitCast(d, hn::And(rounded, hn::Set(du, 0xffff0000u)));
    return hn::IfThenElse(hn::IsNaN(a), a, kept);
  }
};

}  // namespace

const TileOpTable* ArithmeticTileOps() {
  static const TileOpTable table = [] {
    TileOpTable t{};
    const auto set = [&t](EltOp op, TileOpFn fn) { t.ops[static_cast<int>(op)] = fn; };
    set(EltOp::kCopy, TileLoop<Copy, 1>);
    set(EltOp::kAdd, TileLoop<Add, 2>);
    set(EltOp::kSub, TileLoop<Sub, 2>);
    set(EltOp::kMul, TileLoop<Mul, 2>);
    set(EltOp::kDiv, TileLoop<Div, 2>);
    set(EltOp::kMin, TileLoop<Min, 2>);
    set(EltOp::kMax, TileLoop<Max, 2>);
    set(EltOp::kMulAdd, TileLoop<MulAdd, 3>);
    set(EltOp::kNeg, TileLoop<Neg, 1>);
    set(EltOp::kAbs, TileLoop<Abs, 1>);
    set(EltOp::kSign, TileLoop<Sign, 1>);
    set(EltOp::kSqrt, TileLoop<Sqrt, 1>);
    set(EltOp::kRsqrt, TileLoop<Rsqrt, 1>);
    set(EltOp::kReciprocal, TileLoop<Reciprocal, 1>);
    set(EltOp::kSquare, TileLoop<Square, 1>);
    set(EltOp::kCube, TileLoop<Cube, 1>);
    set(EltOp::kFloor, TileLoop<Floor, 1>);
    set(EltOp::kCeil, TileLoop<Ceil, 1>);
    set(EltOp::kRound, TileLoop<Round, 1>);
    set(EltOp::kRoundF16, TileLoop<RoundF16, 1>);
    set(EltOp::kRoundBf16, TileLoop<RoundBf16, 1>);
    set(EltOp::kTrunc, TileLoop<Trunc, 1>);
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
auto Select(Isa isa) -> const TileOpTable* (*)() { CAIRN_SELECT(isa, ArithmeticTileOps) }
}  // namespace
const TileOpTable* GetArithmeticTileOps(Isa isa) {
  const auto table = Select(isa);
  return table ? table() : nullptr;
}
}  // namespace cairn::kernels
#endif
