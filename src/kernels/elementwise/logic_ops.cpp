// SPDX-License-Identifier: Apache-2.0
// Comparisons, truth values and selection of the element-wise engine.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/logic_ops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/dispatch.h"
#include "kernels/elementwise/tile_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace {

using DI = hn::RebindToSigned<D>;
using VI = hn::Vec<DI>;

HWY_INLINE V Truth(D d, hn::Mask<D> mask) { return hn::IfThenElseZero(mask, hn::Set(d, 1.0f)); }

// Comparisons read the bit patterns: floating-point instructions would take denormals for zero on
// threads that flush them, and comparisons are exact. Order() is monotonic, equal for both zeros.
HWY_INLINE VI Magnitude(V a) {
  const DI di;
  return hn::And(hn::BitCast(di, a), hn::Set(di, 0x7FFFFFFF));
}
HWY_INLINE VI Order(V a) {
  const VI sign = hn::BroadcastSignBit(hn::BitCast(DI(), a));
  return hn::Sub(hn::Xor(Magnitude(a), sign), sign);
}
HWY_INLINE hn::Mask<D> Ordered(V a, V b) { return hn::Not(hn::Or(hn::IsNaN(a), hn::IsNaN(b))); }
HWY_INLINE hn::Mask<D> Same(D d, V a, V b) {
  return hn::And(Ordered(a, b), hn::RebindMask(d, hn::Eq(Order(a), Order(b))));
}
HWY_INLINE hn::Mask<D> Below(D d, V a, V b) {
  return hn::And(Ordered(a, b), hn::RebindMask(d, hn::Lt(Order(a), Order(b))));
}
HWY_INLINE hn::Mask<D> BelowOrSame(D d, V a, V b) {
  return hn::AndNot(hn::RebindMask(d, hn::Lt(Order(b), Order(a))), Ordered(a, b));
}
HWY_INLINE hn::Mask<D> True(D d, V a) {
  return hn::RebindMask(d, hn::Gt(Magnitude(a), hn::Zero(DI())));
}

CAIRN_TILE_OP2(Equal, Truth(d, Same(d, a, b)))
CAIRN_TILE_OP2(NotEqual, Truth(d, hn::Not(Same(d, a, b))))
CAIRN_TILE_OP2(Less, Truth(d, Below(d, a, b)))
CAIRN_TILE_OP2(LessEqual, Truth(d, BelowOrSame(d, a, b)))
CAIRN_TILE_OP2(Greater, Truth(d, Below(d, b, a)))
CAIRN_TILE_OP2(GreaterEqual, Truth(d, BelowOrSame(d, b, a)))
CAIRN_TILE_OP1(Not, hn::IfThenZeroElse(True(d, a), hn::Set(d, 1.0f)))
CAIRN_TILE_OP2(And, Truth(d, hn::And(True(d, a), True(d, b))))
CAIRN_TILE_OP2(Or, Truth(d, hn::Or(True(d, a), True(d, b))))
CAIRN_TILE_OP2(Xor, Truth(d, hn::Xor(True(d, a), True(d, b))))
CAIRN_TILE_OP1(IsNan, Truth(d, hn::IsNaN(a)))
CAIRN_TILE_OP1(IsInf, Truth(d, hn::IsInf(a)))
CAIRN_TILE_OP3(Where, hn::IfThenElse(True(d, a), b, c))

}  // namespace

const TileOpTable* LogicTileOps() {
  static const TileOpTable table = [] {
    TileOpTable t{};
    const auto set = [&t](EltOp op, TileOpFn fn) { t.ops[static_cast<int>(op)] = fn; };
    set(EltOp::kEqual, TileLoop<Equal, 2>);
    set(EltOp::kNotEqual, TileLoop<NotEqual, 2>);
    set(EltOp::kLess, TileLoop<Less, 2>);
    set(EltOp::kLessEqual, TileLoop<LessEqual, 2>);
    set(EltOp::kGreater, TileLoop<Greater, 2>);
    set(EltOp::kGreaterEqual, TileLoop<GreaterEqual, 2>);
    set(EltOp::kNot, TileLoop<Not, 1>);
    set(EltOp::kAnd, TileLoop<And, 2>);
    set(EltOp::kOr, TileLoop<Or, 2>);
    set(EltOp::kXor, TileLoop<Xor, 2>);
    set(EltOp::kIsNan, TileLoop<IsNan, 1>);
    set(EltOp::kIsInf, TileLoop<IsInf, 1>);
    set(EltOp::kWhere, TileLoop<Where, 3>);
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
auto Select(Isa isa) -> const TileOpTable* (*)() { CAIRN_SELECT(isa, LogicTileOps) }
}  // namespace
const TileOpTable* GetLogicTileOps(Isa isa) {
  const auto table = Select(isa);
  return table ? table() : nullptr;
}
}  // namespace cairn::kernels
#endif
