// SPDX-License-Identifier: Apache-2.0
// Merges dimensions, walks the outputs and applies the folds.
#include "kernels/reduce/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/reduce/fold.h"

namespace cairn::kernels {
namespace {

// Some of the dimensions with their strides in src, outermost first.
struct Axes {
  int count = 0;
  std::array<int64_t, kReduceMaxRank> sizes, strides;

  void Add(int64_t size, int64_t stride) {
    sizes[count] = size;
    strides[count++] = stride;
  }
  int64_t Total() const {
    int64_t total = 1;
    for (int i = 0; i < count; ++i) total *= sizes[i];
    return total;
  }
  int64_t Offset(int64_t index) const {
    int64_t offset = 0;
    for (int i = count - 1; i >= 0; --i) {
      offset += (i == 0 ? index : index % sizes[i]) * strides[i];
      index /= sizes[i];
    }
    return offset;
  }
};

// The tensor as outer kept and reduced axes around a matrix [rows, cols]: the innermost reduced and
// kept axes. With cols == 1 the rows are contiguous.
struct Geometry {
  Axes kept, reduced;
  int64_t rows = 1, row_stride = 1, cols = 1;
  int64_t terms = 1;  // Elements folded into one output.
};

Geometry MakeGeometry(const ReduceParams& p) {
  struct Dim {
    int64_t size, stride;
    bool reduced;
  };
  // Neighbours of the same sort merge; innermost first.
  std::array<Dim, kReduceMaxRank> dims;
  int count = 0;
  Geometry g;
  int64_t stride = 1;
  for (int i = p.rank - 1; i >= 0; --i) {
    if (p.reduced[i]) g.terms *= p.dims[i];
    if (p.dims[i] == 1) continue;
    if (count > 0 && dims[count - 1].reduced == p.reduced[i]) {
      dims[count - 1].size *= p.dims[i];
    } else {
      dims[count++] = {p.dims[i], stride, p.reduced[i]};
    }
    stride *= p.dims[i];
  }
  int next = 0;
  if (next < count && !dims[next].reduced) g.cols = dims[next++].size;
  if (next < count) {
    g.rows = dims[next].size;
    g.row_stride = dims[next++].stride;
  }
  for (int i = count - 1; i >= next; --i) {
    (dims[i].reduced ? g.reduced : g.kept).Add(dims[i].size, dims[i].stride);
  }
  return g;
}

FoldKind FoldOf(ReduceKind kind) {
  switch (kind) {
    case ReduceKind::kMax:
      return FoldKind::kMax;
    case ReduceKind::kMin:
      return FoldKind::kMin;
    case ReduceKind::kProd:
      return FoldKind::kProd;
    case ReduceKind::kL1:
      return FoldKind::kSumAbs;
    case ReduceKind::kL2:
    case ReduceKind::kSumSquare:
      return FoldKind::kSumSquare;
    case ReduceKind::kLogSumExp:
      return FoldKind::kSumExp;
    default:
      return FoldKind::kSum;
  }
}

float Finish(ReduceKind kind, double total, int64_t terms, float offset) {
  switch (kind) {
    case ReduceKind::kMean:
      return static_cast<float>(total / static_cast<double>(terms));
    case ReduceKind::kL2:
      return static_cast<float>(std::sqrt(total));
    case ReduceKind::kLogSum:
      return static_cast<float>(std::log(total));
    case ReduceKind::kLogSumExp:
      // An infinite maximum is the result: offset - offset would be NaN.
      return std::isinf(offset) ? offset : static_cast<float>(offset + std::log(total));
    default:
      return static_cast<float>(total);
  }
}

// Folds the columns [column, column + cols) of one group of outputs into totals.
void FoldGroup(const Geometry& g, const FoldFns& fold, const float* src, int64_t cols,
               const float* offsets, double* totals) {
  std::fill_n(totals, cols, fold.init);
  const int64_t outer = g.reduced.Total();
  for (int64_t r = 0; r < outer; ++r) {
    const float* matrix = src + g.reduced.Offset(r);
    if (g.cols == 1 && g.row_stride == 1) {
      totals[0] = fold.combine(totals[0], fold.row(matrix, g.rows, offsets[0]));
    } else {
      fold.columns(matrix, g.row_stride, g.rows, cols, offsets, totals);
    }
  }
}

void ReduceGroup(const ReduceParams& p, const Geometry& g, const FoldFns& fold, const float* src,
                 int64_t cols, float* dst) {
  double totals[kFoldColumns];
  float offsets[kFoldColumns];
  std::fill_n(offsets, cols, 0.0f);
  if (p.kind == ReduceKind::kLogSumExp) {
    FoldGroup(g, GetFold(p.isa, FoldKind::kMax), src, cols, offsets, totals);
    for (int64_t i = 0; i < cols; ++i) offsets[i] = static_cast<float>(totals[i]);
  }
  FoldGroup(g, fold, src, cols, offsets, totals);
  for (int64_t i = 0; i < cols; ++i) dst[i] = Finish(p.kind, totals[i], g.terms, offsets[i]);
}

}  // namespace

void RunReduce(const ReduceParams& p, const ReduceBuffers& buffers, int /*phase*/, Part part) {
  const Geometry g = MakeGeometry(p);
  const FoldFns fold = GetFold(p.isa, FoldOf(p.kind));
  const int64_t groups = g.kept.Total();
  const int64_t tiles = (g.cols + kFoldColumns - 1) / kFoldColumns;
  const Range range = PartRange(groups * tiles, 1, part);
  for (int64_t i = range.begin; i < range.end; ++i) {
    const int64_t group = i / tiles, column = i % tiles * kFoldColumns;
    ReduceGroup(p, g, fold, buffers.src + g.kept.Offset(group) + column,
                std::min(kFoldColumns, g.cols - column), buffers.dst + group * g.cols + column);
  }
}

void RunArgExtreme(const ArgExtremeParams& p, const ArgExtremeBuffers& buffers, int /*phase*/,
                   Part part) {
  const Range range = PartRange(p.outer * p.inner, 16, part);
  for (int64_t i = range.begin; i < range.end; ++i) {
    const float* src = buffers.src + i / p.inner * p.axis * p.inner + i % p.inner;
    float best = src[0];
    int64_t index = 0;
    for (int64_t a = 1; a < p.axis; ++a) {
      const float x = src[a * p.inner];
      const bool equal = x == best || (x != x && best != best);
      const bool better = best == best && (x != x || (p.greatest ? x > best : x < best));
      if (better || (p.last_of_equals && equal)) {
        best = x;
        index = a;
      }
    }
    buffers.dst[i] = index;
  }
}

}  // namespace cairn::kernels
