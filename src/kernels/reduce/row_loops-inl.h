// SPDX-License-Identifier: Apache-2.0
// Loops over one contiguous row: mapped sums and maxima, element-wise maps; per instruction set.
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#if defined(CAIRN_ROW_LOOPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_ROW_LOOPS_INL_H_
#undef CAIRN_ROW_LOOPS_INL_H_
#else
#define CAIRN_ROW_LOOPS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace rows {
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

/// The sum of map(x) over `count` elements; `map` takes and returns a vector. Pieces of 4096
/// elements are added up in f32 in four chains, the pieces in double. A fixed order.
template <class Map>
HWY_INLINE double MappedSum(const float* src, int64_t count, const Map& map) {
  constexpr int64_t kPiece = 4096;
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  double total = 0;
  for (int64_t begin = 0; begin < count; begin += kPiece) {
    const int64_t end = std::min(count, begin + kPiece);
    V s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
    int64_t i = begin;
    for (; i + 4 * lanes <= end; i += 4 * lanes) {
      s0 = hn::Add(s0, map(hn::LoadU(d, src + i)));
      s1 = hn::Add(s1, map(hn::LoadU(d, src + i + lanes)));
      s2 = hn::Add(s2, map(hn::LoadU(d, src + i + 2 * lanes)));
      s3 = hn::Add(s3, map(hn::LoadU(d, src + i + 3 * lanes)));
    }
    for (; i + lanes <= end; i += lanes) s0 = hn::Add(s0, map(hn::LoadU(d, src + i)));
    if (i < end) {
      const auto mask = hn::FirstN(d, static_cast<size_t>(end - i));
      s1 = hn::Add(s1, hn::IfThenElseZero(mask, map(hn::MaskedLoad(mask, d, src + i))));
    }
    const V sum = hn::Add(hn::Add(s0, s1), hn::Add(s2, s3));
    total += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum)));
  }
  return total;
}

/// The greatest element; NaN may or may not be seen. -infinity for an empty row.
HWY_INLINE float MaxIgnoringNan(const float* src, int64_t count) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const V least = hn::Neg(hn::Inf(d));
  V m0 = least, m1 = least, m2 = least, m3 = least;
  int64_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    m0 = hn::Max(hn::LoadU(d, src + i), m0);
    m1 = hn::Max(hn::LoadU(d, src + i + lanes), m1);
    m2 = hn::Max(hn::LoadU(d, src + i + 2 * lanes), m2);
    m3 = hn::Max(hn::LoadU(d, src + i + 3 * lanes), m3);
  }
  for (; i + lanes <= count; i += lanes) m0 = hn::Max(hn::LoadU(d, src + i), m0);
  if (i < count) {
    const auto mask = hn::FirstN(d, static_cast<size_t>(count - i));
    m1 = hn::Max(hn::IfThenElse(mask, hn::MaskedLoad(mask, d, src + i), least), m1);
  }
  return hn::GetLane(hn::MaxOfLanes(d, hn::Max(hn::Max(m0, m1), hn::Max(m2, m3))));
}

/// Calls step(load, store) for each vector of a row: load(p) reads its elements of array p,
/// store(v, p) writes them;
/// at the end of the row both touch the remaining elements only.
template <class Step>
HWY_INLINE void ForEachVector(int64_t count, const Step& step) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    step([i, d](const float* p) HWY_ATTR { return hn::LoadU(d, p + i); },
         [i, d](V v, float* p) HWY_ATTR { hn::StoreU(v, d, p + i); });
  }
  if (i < count) {
    const auto mask = hn::FirstN(d, static_cast<size_t>(count - i));
    step([i, d, mask](const float* p) HWY_ATTR { return hn::MaskedLoad(mask, d, p + i); },
         [i, d, mask](V v, float* p) HWY_ATTR { hn::BlendedStore(v, mask, d, p + i); });
  }
}

}  // namespace rows
}  // namespace HWY_NAMESPACE
}  // namespace cairn::kernels
HWY_AFTER_NAMESPACE();

#endif  // include guard
