// SPDX-License-Identifier: Apache-2.0
// Kernels for products with one to three rows.
#include "kernels/matmul/skinny.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/matmul/skinny.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/dispatch.h"
#include "kernels/matmul/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace {

template <int kRows, int kVectors, class D, class V>
HWY_INLINE void AddTerm(D d, const RowRef* rows, int64_t k, const float* weights,
                        V (&sum)[kRows][kVectors]) {
  ForEachVector<kRows, kVectors>([&](int r, int v) HWY_ATTR {
    sum[r][v] = hn::MulAdd(hn::Set(d, rows[r].data[k]), hn::LoadU(d, weights + v * hn::Lanes(d)),
                           sum[r][v]);
  });
}

template <int kRows, int kVectors>
void Skinny(const TileArgs& args) {
  constexpr int kSums = (8 + kRows * kVectors - 1) / (kRows * kVectors);
  const hn::ScalableTag<float> d;
  hn::Vec<decltype(d)> sum[kSums][kRows][kVectors];
  InitTile(d, args, sum[0]);
  CAIRN_UNROLL
  for (int s = 1; s < kSums; ++s) {
    ForEachVector<kRows, kVectors>([&](int r, int v) HWY_ATTR { sum[s][r][v] = hn::Zero(d); });
  }
  RowRef rows[kRows];
  CAIRN_UNROLL
  for (int r = 0; r < kRows; ++r) rows[r] = args.rows[r];
  const float* weights = args.weights;
  int64_t k = 0;
  for (; k + kSums <= args.length; k += kSums) {
    CAIRN_UNROLL
    for (int s = 0; s < kSums; ++s) {
      AddTerm(d, rows, k + s, weights + s * args.weight_stride, sum[s]);
    }
    weights += kSums * args.weight_stride;
  }
  CAIRN_UNROLL
  for (int s = 0; s + 1 < kSums; ++s) {
    if (k + s < args.length) AddTerm(d, rows, k + s, weights + s * args.weight_stride, sum[s]);
  }
  CAIRN_UNROLL
  for (int s = 1; s < kSums; ++s) {
    ForEachVector<kRows, kVectors>(
        [&](int r, int v) HWY_ATTR { sum[0][r][v] = hn::Add(sum[0][r][v], sum[s][r][v]); });
  }
  FinishTile(d, args, sum[0]);
  StoreTile(d, args, sum[0]);
}

constexpr SkinnyTable MakeTable() {
  return {.fn = {{},
                 {nullptr, Skinny<1, 1>, Skinny<2, 1>, Skinny<3, 1>},
                 {nullptr, Skinny<1, 2>, Skinny<2, 2>, Skinny<3, 2>},
                 {nullptr, Skinny<1, 3>, Skinny<2, 3>, Skinny<3, 3>}}};
}

}  // namespace

extern constexpr SkinnyTable kSkinnyTable = MakeTable();

}  // namespace HWY_NAMESPACE
}  // namespace cairn::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::kernels {

const SkinnyTable* GetSkinnyTable(Isa isa) { CAIRN_SELECT(isa, kSkinnyTable) }

}  // namespace cairn::kernels
#endif
