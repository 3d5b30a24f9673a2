// SPDX-License-Identifier: Apache-2.0
// Folds rows and columns with several chains of vectors.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduce/fold.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "kernels/dispatch.h"
#include "kernels/elementwise/vector_math-inl.h"
#include "kernels/reduce/fold.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Terms folded in f32 before they join the double total.
constexpr int64_t kRowPiece = 4096, kColumnPiece = 256;

struct SumBase {
  static constexpr float kInit = 0.0f;
  static HWY_INLINE V Join(V a, V b) { return hn::Add(a, b); }
  static double Combine(double a, double b) { return a + b; }
};
struct Sum : SumBase {
  static HWY_INLINE V Step(D, V acc, V x, V) { return hn::Add(acc, x); }
};
struct SumAbs : SumBase {
  static HWY_INLINE V Step(D, V acc, V x, V) { return hn::Add(acc, hn::Abs(x)); }
};
struct SumSquare : SumBase {
  static HWY_INLINE V Step(D, V acc, V x, V) { return hn::MulAdd(x, x, acc); }
};
struct SumExp : SumBase {
  static HWY_INLINE V Step(D d, V acc, V x, V offset) {
    return hn::Add(acc, math::ExpOfNonPositive(d, hn::Sub(x, offset)));
  }
};
// Min and Max return their second argument when one is NaN: a NaN in acc stays there.
struct Max {
  static constexpr float kInit = -kInfinity;
  static HWY_INLINE V Join(V a, V b) { return hn::IfThenElse(hn::IsNaN(b), b, hn::Max(b, a)); }
  static HWY_INLINE V Step(D, V acc, V x, V) { return Join(acc, x); }
  static double Combine(double a, double b) { return b > a || b != b ? b : a; }
};
struct Min {
  static constexpr float kInit = kInfinity;
  static HWY_INLINE V Join(V a, V b) { return hn::IfThenElse(hn::IsNaN(b), b, hn::Min(b, a)); }
  static HWY_INLINE V Step(D, V acc, V x, V) { return Join(acc, x); }
  static double Combine(double a, double b) { return b < a || b != b ? b : a; }
};
struct Prod {
  static constexpr float kInit = 1.0f;
  static HWY_INLINE V Join(V a, V b) { return hn::Mul(a, b); }
  static HWY_INLINE V Step(D, V acc, V x, V) { return hn::Mul(acc, x); }
  static double Combine(double a, double b) { return a * b; }
};

template <class F>
double FoldRow(const float* src, int64_t count, float offset) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const V init = hn::Set(d, F::kInit), shift = hn::Set(d, offset);
  double total = F::kInit;
  for (int64_t begin = 0; begin < count; begin += kRowPiece) {
    const int64_t end = std::min(count, begin + kRowPiece);
    V s0 = init, s1 = init, s2 = init, s3 = init;
    int64_t i = begin;
    for (; i + 4 * lanes <= end; i += 4 * lanes) {
      s0 = F::Step(d, s0, hn::LoadU(d, src + i), shift);
      s1 = F::Step(d, s1, hn::LoadU(d, src + i + lanes), shift);
      s2 = F::Step(d, s2, hn::LoadU(d, src + i + 2 * lanes), shift);
      s3 = F::Step(d, s3, hn::LoadU(d, src + i + 3 * lanes), shift);
    }
    for (; i + lanes <= end; i += lanes) s0 = F::Step(d, s0, hn::LoadU(d, src + i), shift);
    if (i < end) {
      const auto mask = hn::FirstN(d, static_cast<size_t>(end - i));
      const V x = hn::MaskedLoad(mask, d, src + i);
      s1 = hn::IfThenElse(mask, F::Step(d, s1, x, shift), s1);
    }
    alignas(64) float parts[hn::MaxLanes(D())];
    hn::Store(F::Join(F::Join(s0, s1), F::Join(s2, s3)), d, parts);
    for (int64_t k = 0; k < lanes; ++k) total = F::Combine(total, double{parts[k]});
  }
  return total;
}

// Folds rows of one vector column; `load` reads it from a row, `offset` belongs to it.
template <class F, class Load>
HWY_INLINE V FoldOneColumn(const float* src, int64_t row_stride, int64_t rows, V offset,
                           const Load& load) {
  const D d;
  const V init = hn::Set(d, F::kInit);
  V s0 = init, s1 = init, s2 = init, s3 = init;
  int64_t r = 0;
  for (; r + 4 <= rows; r += 4) {
    const float* row = src + r * row_stride;
    s0 = F::Step(d, s0, load(row), offset);
    s1 = F::Step(d, s1, load(row + row_stride), offset);
    s2 = F::Step(d, s2, load(row + 2 * row_stride), offset);
    s3 = F::Step(d, s3, load(row + 3 * row_stride), offset);
  }
  for (; r < rows; ++r) s0 = F::Step(d, s0, load(src + r * row_stride), offset);
  return F::Join(F::Join(s0, s1), F::Join(s2, s3));
}

// Four neighbouring vector columns, one chain each: reads whole cache lines.
template <class F>
HWY_INLINE void FoldFourColumns(const float* src, int64_t row_stride, int64_t rows,
                                const float* offsets, float* dst) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const V o0 = hn::LoadU(d, offsets), o1 = hn::LoadU(d, offsets + lanes);
  const V o2 = hn::LoadU(d, offsets + 2 * lanes), o3 = hn::LoadU(d, offsets + 3 * lanes);
  const V init = hn::Set(d, F::kInit);
  V s0 = init, s1 = init, s2 = init, s3 = init;
  for (int64_t r = 0; r < rows; ++r) {
    const float* row = src + r * row_stride;
    s0 = F::Step(d, s0, hn::LoadU(d, row), o0);
    s1 = F::Step(d, s1, hn::LoadU(d, row + lanes), o1);
    s2 = F::Step(d, s2, hn::LoadU(d, row + 2 * lanes), o2);
    s3 = F::Step(d, s3, hn::LoadU(d, row + 3 * lanes), o3);
  }
  hn::StoreU(s0, d, dst);
  hn::StoreU(s1, d, dst + lanes);
  hn::StoreU(s2, d, dst + 2 * lanes);
  hn::StoreU(s3, d, dst + 3 * lanes);
}

template <class F>
void FoldColumns(const float* src, int64_t row_stride, int64_t rows, int64_t cols,
                 const float* offsets, double* totals) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  alignas(64) float folded[kFoldColumns];
  for (int64_t begin = 0; begin < rows; begin += kColumnPiece) {
    const int64_t count = std::min(kColumnPiece, rows - begin);
    const float* piece = src + begin * row_stride;
    int64_t c = 0;
    for (; c + 4 * lanes <= cols; c += 4 * lanes) {
      FoldFourColumns<F>(piece + c, row_stride, count, offsets + c, folded + c);
    }
    for (; c + lanes <= cols; c += lanes) {
      const auto load = [d](const float* p) HWY_ATTR { return hn::LoadU(d, p); };
      hn::StoreU(FoldOneColumn<F>(piece + c, row_stride, count, hn::LoadU(d, offsets + c), load), d,
                 folded + c);
    }
    if (c < cols) {
      const auto mask = hn::FirstN(d, static_cast<size_t>(cols - c));
      const auto load = [d, mask](const float* p) HWY_ATTR { return hn::MaskedLoad(mask, d, p); };
      const V sums = FoldOneColumn<F>(piece + c, row_stride, count, load(offsets + c), load);
      hn::BlendedStore(sums, mask, d, folded + c);
    }
    for (int64_t i = 0; i < cols; ++i) totals[i] = F::Combine(totals[i], double{folded[i]});
  }
}

template <class F>
FoldFns MakeFold() {
  return {F::kInit, F::Combine, FoldRow<F>, FoldColumns<F>};
}

}  // namespace

FoldFns Fold(FoldKind kind) {
  switch (kind) {
    case FoldKind::kSum:
      return MakeFold<Sum>();
    case FoldKind::kSumAbs:
      return MakeFold<SumAbs>();
    case FoldKind::kSumSquare:
      return MakeFold<SumSquare>();
    case FoldKind::kSumExp:
      return MakeFold<SumExp>();
    case FoldKind::kMax:
      return MakeFold<Max>();
    case FoldKind::kMin:
      return MakeFold<Min>();
    case FoldKind::kProd:
      return MakeFold<Prod>();
  }
  return {};
}

}  // namespace HWY_NAMESPACE
}  // namespace cairn::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::kernels {
namespace {
auto Select(Isa isa) -> FoldFns (*)(FoldKind) { CAIRN_SELECT(isa, Fold) }
}  // namespace
FoldFns GetFold(Isa isa, FoldKind kind) {
  const auto get = Select(isa);
  return get ? get(kind) : FoldFns{};
}
}  // namespace cairn::kernels
#endif
