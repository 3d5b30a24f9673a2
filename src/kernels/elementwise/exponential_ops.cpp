// SPDX-License-Identifier: Apache-2.0
// Exponential, logarithmic and smooth activation functions of the element-wise engine.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/exponential_ops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/dispatch.h"
#include "kernels/elementwise/tile_loop-inl.h"
#include "kernels/elementwise/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace {

CAIRN_TILE_OP1(Exp, math::Exp(d, a))
CAIRN_TILE_OP1(Expm1, math::Expm1(d, a))
CAIRN_TILE_OP1(Log, math::Log(d, a))
CAIRN_TILE_OP1(Tanh, math::Tanh(d, a))
CAIRN_TILE_OP1(Erf, math::Erf(d, a))
CAIRN_TILE_OP1(Sigmoid, math::Sigmoid(d, a))
CAIRN_TILE_OP1(Gelu, math::Gelu(d, a))
CAIRN_TILE_OP1(GeluTanh, math::GeluTanh(d, a))
CAIRN_TILE_OP1(Silu, math::Silu(d, a))
CAIRN_TILE_OP1(Mish, math::Mish(d, a))
CAIRN_TILE_OP1(Softplus, math::Softplus(d, a))

}  // namespace

const TileOpTable* ExponentialTileOps() {
  static const TileOpTable table = [] {
    TileOpTable t{};
    const auto set = [&t](EltOp op, TileOpFn fn) { t.ops[static_cast<int>(op)] = fn; };
    set(EltOp::kExp, TileLoop<Exp, 1>);
    set(EltOp::kExpm1, TileLoop<Expm1, 1>);
    set(EltOp::kLog, TileLoop<Log, 1>);
    set(EltOp::kTanh, TileLoop<Tanh, 1>);
    set(EltOp::kErf, TileLoop<Erf, 1>);
    set(EltOp::kSigmoid, TileLoop<Sigmoid, 1>);
    set(EltOp::kGelu, TileLoop<Gelu, 1>);
    set(EltOp::kGeluTanh, TileLoop<GeluTanh, 1>);
    set(EltOp::kSilu, TileLoop<Silu, 1>);
    set(EltOp::kMish, TileLoop<Mish, 1>);
    set(EltOp::kSoftplus, TileLoop<Softplus, 1>);
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
auto Select(Isa isa) -> const TileOpTable* (*)() { CAIRN_SELECT(isa, ExponentialTileOps) }
}  // namespace
const TileOpTable* GetExponentialTileOps(Isa isa) {
  const auto table = Select(isa);
  return table ? table() : nullptr;
}
}  // namespace cairn::kernels
#endif
