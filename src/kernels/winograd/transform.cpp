// SPDX-License-Identifier: Apache-2.0
// Winograd transforms, one channel block at a time.
#include "kernels/winograd/transform.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/winograd/transform.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/dispatch.h"
#include "kernels/matmul/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace {

/// One-dimensional transforms of F(kTile, 3), interpolation points 0, 1, -1, (2, -2,) infinity.
template <int kTile>
struct Transform;

template <>
struct Transform<2> {
  /// out = BT in.
  template <class D, class V>
  static HWY_INLINE void Source(D, const V (&in)[4], V (&out)[4]) {
    out[0] = hn::Sub(in[0], in[2]);
    out[1] = hn::Add(in[1], in[2]);
    out[2] = hn::Sub(in[2], in[1]);
    out[3] = hn::Sub(in[1], in[3]);
  }
  /// out = AT in.
  template <class D, class V>
  static HWY_INLINE void Result(D, const V (&in)[4], V (&out)[2]) {
    out[0] = hn::Add(hn::Add(in[0], in[1]), in[2]);
    out[1] = hn::Sub(hn::Sub(in[1], in[2]), in[3]);
  }
};

template <>
struct Transform<4> {
  template <class D, class V>
  static HWY_INLINE void Source(D d, const V (&in)[6], V (&out)[6]) {
    const V two = hn::Set(d, 2.0f), four = hn::Set(d, 4.0f), five = hn::Set(d, 5.0f);
    const V even4 = hn::NegMulAdd(four, in[2], in[4]);
    const V odd4 = hn::NegMulAdd(four, in[1], in[3]);
    const V even1 = hn::Sub(in[4], in[2]);
    const V odd1 = hn::Sub(in[3], in[1]);
    out[0] = hn::MulAdd(four, in[0], hn::NegMulAdd(five, in[2], in[4]));
    out[1] = hn::Add(even4, odd4);
    out[2] = hn::Sub(even4, odd4);
    out[3] = hn::MulAdd(two, odd1, even1);
    out[4] = hn::NegMulAdd(two, odd1, even1);
    out[5] = hn::MulAdd(four, in[1], hn::NegMulAdd(five, in[3], in[5]));
  }
  template <class D, class V>
  static HWY_INLINE void Result(D d, const V (&in)[6], V (&out)[4]) {
    const V two = hn::Set(d, 2.0f), four = hn::Set(d, 4.0f), eight = hn::Set(d, 8.0f);
    const V sum1 = hn::Add(in[1], in[2]), difference1 = hn::Sub(in[1], in[2]);
    const V sum2 = hn::Add(in[3], in[4]), difference2 = hn::Sub(in[3], in[4]);
    out[0] = hn::Add(hn::Add(in[0], sum1), sum2);
    out[1] = hn::MulAdd(two, difference2, difference1);
    out[2] = hn::MulAdd(four, sum2, sum1);
    out[3] = hn::Add(hn::MulAdd(eight, difference2, difference1), in[5]);
  }
};

/// The window at (y, x); kInside when no part of it is padding.
template <int kTile, bool kInside, class D>
HWY_INLINE void SourceTile(D d, const WinogradSourceRow& row, int64_t x, float* points) {
  constexpr int kSide = kTile + 2;
  using V = hn::Vec<D>;
  const int64_t lanes = hn::Lanes(d);
  V half[kSide][kSide];
  CAIRN_UNROLL
  for (int r = 0; r < kSide; ++r) {
    const int64_t y = row.y + r;
    const bool inside_y = kInside || (y >= 0 && y < row.height);
    V in[kSide];
    CAIRN_UNROLL
    for (int c = 0; c < kSide; ++c) {
      const bool inside = kInside || (inside_y && x + c >= 0 && x + c < row.width);
      in[c] = inside ? hn::LoadU(d, row.plane + (y * row.width + x + c) * lanes) : hn::Zero(d);
    }
    Transform<kTile>::Source(d, in, half[r]);
  }
  CAIRN_UNROLL
  for (int c = 0; c < kSide; ++c) {
    V in[kSide], out[kSide];
    CAIRN_UNROLL
    for (int r = 0; r < kSide; ++r) in[r] = half[r][c];
    Transform<kTile>::Source(d, in, out);
    CAIRN_UNROLL
    for (int r = 0; r < kSide; ++r) {
      hn::StoreU(out[r], d, points + (r * kSide + c) * row.point_stride);
    }
  }
}

template <int kTile>
void SourceRow(const WinogradSourceRow& row) {
  constexpr int kSide = kTile + 2;
  const hn::ScalableTag<float> d;
  const bool inside_y = row.y >= 0 && row.y + kSide <= row.height;
  for (int64_t t = 0; t < row.tiles; ++t) {
    const int64_t x = row.x + t * kTile;
    float* points = row.points + t * hn::Lanes(d);
    if (inside_y && x >= 0 && x + kSide <= row.width) {
      SourceTile<kTile, true>(d, row, x, points);
    } else {
      SourceTile<kTile, false>(d, row, x, points);
    }
  }
}

/// Bias, residual, activation and store of the pixels of one tile that exist.
template <int kTile, class D, class V>
HWY_INLINE void FinishTile(D d, const WinogradResultRow& row, int64_t x, V (&out)[kTile][kTile]) {
  const int64_t lanes = hn::Lanes(d);
  const V bias = row.bias == nullptr ? hn::Zero(d) : hn::LoadU(d, row.bias);
  const auto exists = [&](int r, int c) HWY_ATTR { return r < row.rows && x + c < row.columns; };
  const auto offset = [&](int r, int c) HWY_ATTR { return (r * row.width + x + c) * lanes; };
  ForEachVector<kTile, kTile>([&](int r, int c) HWY_ATTR {
    out[r][c] = hn::Add(out[r][c], bias);
    if (row.residual == nullptr || !exists(r, c)) return;
    out[r][c] = hn::Add(out[r][c], hn::LoadU(d, row.residual + offset(r, c)));
  });
  ApplyActivation(d, *row.epilogue, [&](auto activate) HWY_ATTR {
    ForEachVector<kTile, kTile>([&](int r, int c) HWY_ATTR { out[r][c] = activate(out[r][c]); });
  });
  const auto valid = hn::FirstN(d, row.tail_lanes);
  ForEachVector<kTile, kTile>([&](int r, int c) HWY_ATTR {
    if (!exists(r, c)) return;
    hn::StoreU(hn::IfThenElseZero(valid, out[r][c]), d, row.dst + offset(r, c));
  });
}

template <int kTile>
void ResultRow(const WinogradResultRow& row) {
  constexpr int kSide = kTile + 2;
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  for (int64_t t = 0; t < row.tiles; ++t) {
    const float* points = row.points + t * hn::Lanes(d);
    V half[kTile][kSide];
    CAIRN_UNROLL
    for (int c = 0; c < kSide; ++c) {
      V in[kSide], out[kTile];
      CAIRN_UNROLL
      for (int r = 0; r < kSide; ++r) {
        in[r] = hn::LoadU(d, points + (r * kSide + c) * row.point_stride);
      }
      Transform<kTile>::Result(d, in, out);
      CAIRN_UNROLL
      for (int r = 0; r < kTile; ++r) half[r][c] = out[r];
    }
    V out[kTile][kTile];
    CAIRN_UNROLL
    for (int r = 0; r < kTile; ++r) Transform<kTile>::Result(d, half[r], out[r]);
    FinishTile<kTile>(d, row, t * kTile, out);
  }
}

constexpr WinogradTransforms kTile2 = {SourceRow<2>, ResultRow<2>};
constexpr WinogradTransforms kTile4 = {SourceRow<4>, ResultRow<4>};

}  // namespace

extern constexpr const WinogradTransforms* kWinogradTransforms[] = {&kTile2, &kTile4};

}  // namespace HWY_NAMESPACE
}  // namespace cairn::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::kernels {
namespace {

using TransformList = const WinogradTransforms* const[2];
const TransformList* GetTransformList(Isa isa) { CAIRN_SELECT(isa, kWinogradTransforms) }

}  // namespace

WinogradTransforms GetWinogradTransforms(Isa isa, int tile) {
  const TransformList* list = GetTransformList(isa);
  return list == nullptr ? WinogradTransforms{} : *(*list)[tile == 2 ? 0 : 1];
}

}  // namespace cairn::kernels
#endif
