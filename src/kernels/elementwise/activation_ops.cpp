// SPDX-License-Identifier: Apache-2.0
// Piecewise activation functions of the element-wise engine.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/activation_ops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/dispatch.h"
#include "kernels/elementwise/tile_loop-inl.h"
#include "kernels/elementwise/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace {

HWY_INLINE V Choose(D d, V a, V negative, V otherwise) {
  return hn::IfThenElse(hn::Lt(a, hn::Zero(d)), negative, otherwise);
}
// min(max(a, lo), hi) with a second: NaN stays.
HWY_INLINE V Clamp(V a, V lo, V hi) { return hn::Min(hi, hn::Max(lo, a)); }

CAIRN_TILE_OP1(Relu, hn::Max(hn::Zero(d), a))
CAIRN_TILE_OP2(LeakyRelu, Choose(d, a, hn::Mul(a, b), a))
CAIRN_TILE_OP3(Clip, Clamp(a, b, c))
CAIRN_TILE_OP3(HardSigmoid, Clamp(hn::MulAdd(a, b, c), hn::Zero(d), hn::Set(d, 1.0f)))
CAIRN_TILE_OP1(HardSwish, hn::Mul(a, Clamp(hn::MulAdd(a, hn::Set(d, 1.0f / 6), hn::Set(d, 0.5f)),
                                           hn::Zero(d), hn::Set(d, 1.0f))))
CAIRN_TILE_OP2(ThresholdedRelu, hn::IfThenElseZero(hn::Gt(a, b), a))
CAIRN_TILE_OP1(Softsign, hn::Div(a, hn::Add(hn::Set(d, 1.0f), hn::Abs(a))))
CAIRN_TILE_OP2(Elu, Choose(d, a, hn::Mul(b, math::Expm1(d, a)), a))
CAIRN_TILE_OP3(Selu, hn::Mul(c, Choose(d, a, hn::Mul(b, math::Expm1(d, a)), a)))
CAIRN_TILE_OP2(Celu, Choose(d, a, hn::Mul(b, math::Expm1(d, hn::Div(a, b))), a))

}  // namespace

const TileOpTable* ActivationTileOps() {
  static const TileOpTable table = [] {
    TileOpTable t{};
    const auto set = [&t](EltOp op, TileOpFn fn) { t.ops[static_cast<int>(op)] = fn; };
    set(EltOp::kRelu, TileLoop<Relu, 1>);
    set(EltOp::kLeakyRelu, TileLoop<LeakyRelu, 2>);
    set(EltOp::kClip, TileLoop<Clip, 3>);
    set(EltOp::kHardSigmoid, TileLoop<HardSigmoid, 3>);
    set(EltOp::kHardSwish, TileLoop<HardSwish, 1>);
    set(EltOp::kThresholdedRelu, TileLoop<ThresholdedRelu, 2>);
    set(EltOp::kSoftsign, TileLoop<Softsign, 1>);
    set(EltOp::kElu, TileLoop<Elu, 2>);
    set(EltOp::kSelu, TileLoop<Selu, 3>);
    set(EltOp::kCelu, TileLoop<Celu, 2>);
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
auto Select(Isa isa) -> const TileOpTable* (*)() { CAIRN_SELECT(isa, ActivationTileOps) }
}  // namespace
const TileOpTable* GetActivationTileOps(Isa isa) {
  const auto table = Select(isa);
  return table ? table() : nullptr;
}
}  // namespace cairn::kernels
#endif
