// SPDX-License-Identifier: Apache-2.0
// Pooling of one row in blocked layout: one vector of channels per position.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pool/blocked_pool.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/dispatch.h"
#include "kernels/pool/window.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// Calls `visit(vector)` for all taps of the window that lie inside, in row-major order.
template <class Visit>
HWY_INLINE void ForEachTap(const PoolParams& p, const PoolRow& row, const Window& width,
                           const float* src, const Visit& visit) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t step = p.dilation[2] * lanes;
  for (int64_t kd = row.depth.first; kd < row.depth.last; ++kd) {
    const int64_t z = row.depth.start + kd * p.dilation[0];
    for (int64_t kh = row.height.first; kh < row.height.last; ++kh) {
      const int64_t y = row.height.start + kh * p.dilation[1];
      const float* line = src + ((z * p.in[1] + y) * p.in[2] + width.start) * lanes;
      for (int64_t kw = width.first; kw < width.last; ++kw) visit(hn::LoadU(d, line + kw * step));
    }
  }
}

struct MaxPool {
  static HWY_INLINE V Compute(D d, const PoolParams& p, const PoolRow& row, const Window& width,
                              const float* src) {
    // The sum is NaN when an element is; only then, or for opposite infinities, look closely.
    V most = hn::Neg(hn::Inf(d)), sum = hn::Zero(d);
    ForEachTap(p, row, width, src, [&](V x) HWY_ATTR {
      most = hn::Max(most, x);
      sum = hn::Add(sum, x);
    });
    if (hn::AllFalse(d, hn::IsNaN(sum))) return most;
    most = hn::Neg(hn::Inf(d));
    ForEachTap(p, row, width, src, [&](V x) HWY_ATTR {
      const auto take = hn::Or(hn::IsNaN(x), hn::Gt(x, most));
      most = hn::IfThenElse(take, x, most);
    });
    return most;
  }
};

struct AveragePool {
  static HWY_INLINE V Compute(D d, const PoolParams& p, const PoolRow& row, const Window& width,
                              const float* src) {
    V sum = hn::Zero(d);
    ForEachTap(p, row, width, src, [&](V x) HWY_ATTR { sum = hn::Add(sum, x); });
    const int64_t count = row.depth.counted * row.height.counted * width.counted;
    return hn::Div(sum, hn::Set(d, static_cast<float>(std::max<int64_t>(count, 1))));
  }
};

template <class Pool>
void RunRow(const PoolParams& p, const PoolRow& row, const float* src, float* dst) {
  const D d;
  for (int64_t i = 0; i < p.out[2]; ++i) {
    const Window width = MakeWindow(p, 2, i);
    hn::StoreU(Pool::Compute(d, p, row, width, src), d, dst + i * hn::Lanes(d));
  }
}

}  // namespace

PoolRowFn BlockedPoolRow(PoolKind kind) {
  return kind == PoolKind::kMax ? RunRow<MaxPool> : RunRow<AveragePool>;
}

}  // namespace HWY_NAMESPACE
}  // namespace cairn::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::kernels {
namespace {
auto Select(Isa isa) -> PoolRowFn (*)(PoolKind) { CAIRN_SELECT(isa, BlockedPoolRow) }
}  // namespace
PoolRowFn GetBlockedPoolRow(Isa isa, PoolKind kind) {
  const auto get = Select(isa);
  return get ? get(kind) : nullptr;
}
}  // namespace cairn::kernels
#endif
