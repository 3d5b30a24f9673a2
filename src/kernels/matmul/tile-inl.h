// SPDX-License-Identifier: Apache-2.0
// Loading, finishing and storing a register tile, for inclusion once per instruction set.
#if defined(CAIRN_KERNELS_MATMUL_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_KERNELS_MATMUL_TILE_INL_H_
#undef CAIRN_KERNELS_MATMUL_TILE_INL_H_
#else
#define CAIRN_KERNELS_MATMUL_TILE_INL_H_
#endif

#include <hwy/highway.h>

#include "kernels/epilogue-inl.h"
#include "kernels/matmul/tile.h"

#ifndef CAIRN_UNROLL
// Every loop over a tile array is unrolled completely: only then do its vectors live in registers.
#define CAIRN_UNROLL _Pragma("GCC unroll 16")
#endif

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Calls `visit(r, v)` for each vector of the tile.
template <int kRows, int kVectors, class Visit>
HWY_INLINE void ForEachVector(Visit visit) {
  CAIRN_UNROLL
  for (int r = 0; r < kRows; ++r) {
    CAIRN_UNROLL
    for (int v = 0; v < kVectors; ++v) visit(r, v);
  }
}

/// The initial values of a tile; touches nothing beyond the last column.
template <int kRows, int kVectors, class D, class V>
HWY_INLINE void InitTile(D d, const TileArgs& args, V (&tile)[kRows][kVectors]) {
  if (args.init == nullptr) {
    ForEachVector<kRows, kVectors>([&](int r, int v) HWY_ATTR { tile[r][v] = hn::Zero(d); });
    return;
  }
  const bool masked = !args.zero_tail && args.tail_lanes < static_cast<int32_t>(hn::Lanes(d));
  const auto valid = hn::FirstN(d, args.tail_lanes);
  ForEachVector<kRows, kVectors>([&](int r, int v) HWY_ATTR {
    const float* p = args.init + r * args.dst_row_stride + v * args.dst_vector_stride;
    tile[r][v] = v == kVectors - 1 && masked ? hn::MaskedLoad(valid, d, p) : hn::LoadU(d, p);
  });
}

template <int kRows, int kVectors, class D, class V>
HWY_INLINE void StoreTile(D d, const TileArgs& args, V (&tile)[kRows][kVectors]) {
  const bool partial = args.tail_lanes < static_cast<int32_t>(hn::Lanes(d));
  const auto valid = hn::FirstN(d, args.tail_lanes);
  ForEachVector<kRows, kVectors>([&](int r, int v) HWY_ATTR {
    float* p = args.dst + r * args.dst_row_stride + v * args.dst_vector_stride;
    if (v < kVectors - 1 || !partial) {
      hn::StoreU(tile[r][v], d, p);
    } else if (args.zero_tail) {
      hn::StoreU(hn::IfThenElseZero(valid, tile[r][v]), d, p);
    } else {
      hn::BlendedStore(tile[r][v], valid, d, p);
    }
  });
}

template <int kRows, int kVectors, class D, class V>
HWY_INLINE void FinishTile(D d, const TileArgs& args, V (&tile)[kRows][kVectors]) {
  if (args.bias != nullptr) {
    CAIRN_UNROLL
    for (int v = 0; v < kVectors; ++v) {
      const V bias = hn::LoadU(d, args.bias + v * hn::Lanes(d));
      CAIRN_UNROLL
      for (int r = 0; r < kRows; ++r) tile[r][v] = hn::Add(tile[r][v], bias);
    }
  }
  ApplyActivation(d, *args.epilogue, [&](auto activate) HWY_ATTR {
    ForEachVector<kRows, kVectors>([&](int r, int v)
                                       HWY_ATTR { tile[r][v] = activate(tile[r][v]); });
  });
}

}  // namespace cairn::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
