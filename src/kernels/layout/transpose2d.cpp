// SPDX-License-Identifier: Apache-2.0
// Transposes four columns of one vector of rows at a time: 4x4 within each 128-bit block.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/layout/transpose2d.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "kernels/dispatch.h"
#include "kernels/layout/transpose2d.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using DF = hn::ScalableTag<float>;
using V = hn::Vec<DF>;
using D4 = hn::CappedTag<float, 4>;
constexpr ptrdiff_t kLanes = hn::MaxLanes(DF());

// 128-bit block b of the result is the four floats at src + b * 4 * stride.
template <class D>
HWY_INLINE hn::Vec<D> GatherBlocks(D d, const float* src, ptrdiff_t stride) {
  const D4 d4;
  if constexpr (hn::MaxLanes(D()) == 4) {
    return hn::LoadU(d, src);
  } else if constexpr (hn::MaxLanes(D()) == 8) {
    return hn::Combine(d, hn::LoadU(d4, src + 4 * stride), hn::LoadU(d4, src));
  } else {
    const hn::Half<D> half;
    return hn::Combine(
        d, hn::Combine(half, hn::LoadU(d4, src + 12 * stride), hn::LoadU(d4, src + 8 * stride)),
        hn::Combine(half, hn::LoadU(d4, src + 4 * stride), hn::LoadU(d4, src)));
  }
}
template <class D>
HWY_INLINE void ScatterBlocks(D d, hn::Vec<D> v, float* dst, ptrdiff_t stride) {
  const D4 d4;
  if constexpr (hn::MaxLanes(D()) == 4) {
    hn::StoreU(v, d, dst);
  } else if constexpr (hn::MaxLanes(D()) == 8) {
    const hn::Half<D> half;
    hn::StoreU(hn::LowerHalf(half, v), d4, dst);
    hn::StoreU(hn::UpperHalf(half, v), d4, dst + 4 * stride);
  } else {
    const hn::Half<D> half;
    const auto low = hn::LowerHalf(half, v), high = hn::UpperHalf(half, v);
    hn::StoreU(hn::LowerHalf(d4, low), d4, dst);
    hn::StoreU(hn::UpperHalf(d4, low), d4, dst + 4 * stride);
    hn::StoreU(hn::LowerHalf(d4, high), d4, dst + 8 * stride);
    hn::StoreU(hn::UpperHalf(d4, high), d4, dst + 12 * stride);
  }
}

// Transposes the 4x4 matrix that block b of the four vectors forms, for every b.
HWY_INLINE void TransposeBlocks(DF d, V& a, V& b, V& c, V& e) {
  const hn::Repartition<double, DF> d64;
  const auto low_ab = hn::BitCast(d64, hn::InterleaveLower(d, a, b));
  const auto high_ab = hn::BitCast(d64, hn::InterleaveUpper(d, a, b));
  const auto low_ce = hn::BitCast(d64, hn::InterleaveLower(d, c, e));
  const auto high_ce = hn::BitCast(d64, hn::InterleaveUpper(d, c, e));
  a = hn::BitCast(d, hn::InterleaveLower(d64, low_ab, low_ce));
  b = hn::BitCast(d, hn::InterleaveUpper(d64, low_ab, low_ce));
  c = hn::BitCast(d, hn::InterleaveLower(d64, high_ab, high_ce));
  e = hn::BitCast(d, hn::InterleaveUpper(d64, high_ab, high_ce));
}

// Four columns of kLanes rows become four vectors at dst, dst + dst_stride, ...
HWY_INLINE void FourColumns(const float* src, ptrdiff_t src_stride, float* dst,
                            ptrdiff_t dst_stride) {
  const DF d;
  V a = GatherBlocks(d, src, src_stride), b = GatherBlocks(d, src + src_stride, src_stride);
  V c = GatherBlocks(d, src + 2 * src_stride, src_stride);
  V e = GatherBlocks(d, src + 3 * src_stride, src_stride);
  TransposeBlocks(d, a, b, c, e);
  hn::StoreU(a, d, dst);
  hn::StoreU(b, d, dst + dst_stride);
  hn::StoreU(c, d, dst + 2 * dst_stride);
  hn::StoreU(e, d, dst + 3 * dst_stride);
}

HWY_INLINE void CopyElements(const float* src, ptrdiff_t src_stride, float* dst,
                             ptrdiff_t dst_stride, ptrdiff_t rows, ptrdiff_t cols) {
  // Through integers: a float copy could quiet a signalling NaN on some targets.
  const auto* from = reinterpret_cast<const uint32_t*>(src);
  auto* to = reinterpret_cast<uint32_t*>(dst);
  for (ptrdiff_t c = 0; c < cols; ++c) {
    for (ptrdiff_t r = 0; r < rows; ++r) to[c * dst_stride + r] = from[r * src_stride + c];
  }
}

void Transpose2d(const float* src, ptrdiff_t src_stride, float* dst, ptrdiff_t dst_stride,
                 ptrdiff_t rows, ptrdiff_t cols) {
  // Columns in chunks, so that the lines of dst stay in the cache until all rows have come.
  constexpr ptrdiff_t kChunk = 64;
  const ptrdiff_t whole_rows = rows / kLanes * kLanes;
  for (ptrdiff_t c0 = 0; c0 < cols; c0 += kChunk) {
    const ptrdiff_t c1 = std::min(cols, c0 + kChunk), whole = c0 + (c1 - c0) / 4 * 4;
    for (ptrdiff_t r = 0; r < whole_rows; r += kLanes) {
      const float* from = src + r * src_stride;
      for (ptrdiff_t c = c0; c < whole; c += 4) {
        FourColumns(from + c, src_stride, dst + c * dst_stride + r, dst_stride);
      }
      CopyElements(from + whole, src_stride, dst + whole * dst_stride + r, dst_stride, kLanes,
                   c1 - whole);
    }
    CopyElements(src + whole_rows * src_stride + c0, src_stride, dst + c0 * dst_stride + whole_rows,
                 dst_stride, rows - whole_rows, c1 - c0);
  }
}

void Block(const float* src, ptrdiff_t src_stride, ptrdiff_t rows, float* dst, ptrdiff_t pixels) {
  const ptrdiff_t whole = rows == kLanes ? pixels / 4 * 4 : 0;
  for (ptrdiff_t p = 0; p < whole; p += 4) {
    FourColumns(src + p, src_stride, dst + p * kLanes, kLanes);
  }
  for (ptrdiff_t p = whole; p < pixels; ++p) {
    CopyElements(src + p, src_stride, dst + p * kLanes, kLanes, rows, 1);
    std::fill_n(dst + p * kLanes + rows, kLanes - rows, 0.0f);
  }
}

void Unblock(const float* src, ptrdiff_t rows, float* dst, ptrdiff_t dst_stride, ptrdiff_t pixels) {
  const DF d;
  const ptrdiff_t whole = rows == kLanes ? pixels / 4 * 4 : 0;
  for (ptrdiff_t p = 0; p < whole; p += 4) {
    const float* from = src + p * kLanes;
    V a = hn::LoadU(d, from), b = hn::LoadU(d, from + kLanes);
    V c = hn::LoadU(d, from + 2 * kLanes), e = hn::LoadU(d, from + 3 * kLanes);
    TransposeBlocks(d, a, b, c, e);
    ScatterBlocks(d, a, dst + p, dst_stride);
    ScatterBlocks(d, b, dst + p + dst_stride, dst_stride);
    ScatterBlocks(d, c, dst + p + 2 * dst_stride, dst_stride);
    ScatterBlocks(d, e, dst + p + 3 * dst_stride, dst_stride);
  }
  CopyElements(src + whole * kLanes, kLanes, dst + whole, dst_stride, pixels - whole, rows);
}

}  // namespace

Transpose2dFn Transpose2dTable() { return Transpose2d; }
BlockTransposes BlockTransposesTable() { return {Block, Unblock}; }

}  // namespace HWY_NAMESPACE
}  // namespace cairn::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::kernels {
namespace {
auto SelectTranspose(Isa isa) -> Transpose2dFn (*)() { CAIRN_SELECT(isa, Transpose2dTable) }
auto SelectBlocks(Isa isa) -> BlockTransposes (*)() { CAIRN_SELECT(isa, BlockTransposesTable) }
}  // namespace
Transpose2dFn GetTranspose2d(Isa isa) {
  const auto get = SelectTranspose(isa);
  return get ? get() : nullptr;
}
BlockTransposes GetBlockTransposes(Isa isa) {
  const auto get = SelectBlocks(isa);
  return get ? get() : BlockTransposes{};
}
}  // namespace cairn::kernels
#endif
