// SPDX-License-Identifier: Apache-2.0
// Weighted sums of rows, and of elements of a row chosen by the axis table.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/resize/resize_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/dispatch.h"
#include "kernels/reduce/row_loops-inl.h"
#include "kernels/resize/resize_rows.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using rows::D;
using rows::V;

void Across(const float* const* src, const float* weights, int num_rows, int64_t count,
            float* dst) {
  const D d;
  rows::ForEachVector(count, [&](auto load, auto store) HWY_ATTR {
    V sum = hn::Mul(load(src[0]), hn::Set(d, weights[0]));
    for (int r = 1; r < num_rows; ++r) {
      sum = hn::MulAdd(load(src[r]), hn::Set(d, weights[r]), sum);
    }
    store(sum, dst);
  });
}

// Single elements: indices and weights of consecutive outputs lie side by side.
void AlongElements(const ResizeAxis& axis, float extrapolation, const float* src, float* dst) {
  const D d;
  const hn::RebindToSigned<D> di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= axis.out; i += lanes) {
    const auto first = hn::LoadU(di, axis.index.data() + i);
    V sum = hn::Zero(d);
    for (int k = 0; k < axis.taps; ++k) {
      const auto index = hn::Max(hn::LoadU(di, axis.index.data() + k * axis.out + i), hn::Zero(di));
      const V weight = hn::LoadU(d, axis.weight.data() + k * axis.out + i);
      sum = hn::MulAdd(hn::GatherIndex(d, src, index), weight, sum);
    }
    const auto outside = hn::RebindMask(d, hn::Lt(first, hn::Zero(di)));
    hn::StoreU(hn::IfThenElse(outside, hn::Set(d, extrapolation), sum), d, dst + i);
  }
  for (; i < axis.out; ++i) {
    V sum = hn::Zero(d);
    for (int k = 0; k < axis.taps; ++k) {
      const int32_t index = std::max(axis.index[k * axis.out + i], 0);
      sum = hn::MulAdd(hn::Set(d, src[index]), hn::Set(d, axis.weight[k * axis.out + i]), sum);
    }
    dst[i] = axis.index[i] < 0 ? extrapolation : hn::GetLane(sum);
  }
}

void Along(const ResizeAxis& axis, int64_t inner, float extrapolation, const float* src,
           float* dst) {
  if (inner == 1) return AlongElements(axis, extrapolation, src, dst);
  const D d;
  for (int64_t i = 0; i < axis.out; ++i) {
    float* to = dst + i * inner;
    if (axis.index[i] < 0) {
      std::fill_n(to, inner, extrapolation);
      continue;
    }
    rows::ForEachVector(inner, [&](auto load, auto store) HWY_ATTR {
      V sum = hn::Zero(d);
      for (int k = 0; k < axis.taps; ++k) {
        const float* from = src + axis.index[k * axis.out + i] * inner;
        sum = hn::MulAdd(load(from), hn::Set(d, axis.weight[k * axis.out + i]), sum);
      }
      store(sum, to);
    });
  }
}

}  // namespace

ResizeRowFns ResizeRows() { return {Across, Along}; }

}  // namespace HWY_NAMESPACE
}  // namespace cairn::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::kernels {
namespace {
auto Select(Isa isa) -> ResizeRowFns (*)() { CAIRN_SELECT(isa, ResizeRows) }
}  // namespace
ResizeRowFns GetResizeRows(Isa isa) {
  const auto get = Select(isa);
  return get ? get() : ResizeRowFns{};
}
}  // namespace cairn::kernels
#endif
