// SPDX-License-Identifier: Apache-2.0
// The loop that applies a vector function to a tile; included once per instruction set.
#include <hwy/highway.h>

#include "kernels/elementwise/tile_ops.h"

#if defined(CAIRN_TILE_LOOP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_TILE_LOOP_INL_H_
#undef CAIRN_TILE_LOOP_INL_H_
#else
#define CAIRN_TILE_LOOP_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

/// F: `static V Call(D d, V a)`, `(D, V, V)` or `(D, V, V, V)` according to kArity.
template <class F, int kArity>
void TileLoop(const EltTileArgs& args) {
  const D d;
  const auto lanes = static_cast<ptrdiff_t>(hn::Lanes(d));
  const ptrdiff_t step_a = args.src[0].vector_step;
  const ptrdiff_t step_b = kArity > 1 ? args.src[1].vector_step : 0;
  const ptrdiff_t step_c = kArity > 2 ? args.src[2].vector_step : 0;
  for (ptrdiff_t row = 0; row < args.rows; ++row) {
    const float* a = args.src[0].data + row * args.src[0].row_step;
    const float* b = kArity > 1 ? args.src[1].data + row * args.src[1].row_step : a;
    const float* c = kArity > 2 ? args.src[2].data + row * args.src[2].row_step : a;
    float* dst = args.dst + row * args.dst_row_step;
    for (ptrdiff_t v = 0; v < args.vectors; ++v) {
      V result;
      if constexpr (kArity == 1) result = F::Call(d, hn::LoadU(d, a));
      if constexpr (kArity == 2) result = F::Call(d, hn::LoadU(d, a), hn::LoadU(d, b));
      if constexpr (kArity == 3) {
        result = F::Call(d, hn::LoadU(d, a), hn::LoadU(d, b), hn::LoadU(d, c));
      }
      hn::StoreU(result, d, dst);
      a += step_a;
      b += step_b;
      c += step_c;
      dst += lanes;
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace cairn::kernels
HWY_AFTER_NAMESPACE();

/// Defines the struct `Name` that computes `expression` from the V arguments listed.
#define CAIRN_TILE_OP1(Name, expression)                                       \
  struct Name {                                                                \
    static HWY_INLINE V Call([[maybe_unused]] D d, V a) { return expression; } \
  };
#define CAIRN_TILE_OP2(Name, expression)                                            \
  struct Name {                                                                     \
    static HWY_INLINE V Call([[maybe_unused]] D d, V a, V b) { return expression; } \
  };
#define CAIRN_TILE_OP3(Name, expression)                                                 \
  struct Name {                                                                          \
    static HWY_INLINE V Call([[maybe_unused]] D d, V a, V b, V c) { return expression; } \
  };

#endif  // include guard
