// SPDX-License-Identifier: Apache-2.0
// The vector loops of the reductions, one set per kind of fold.
#pragma once

#include <cstdint>

#include "kernels/isa.h"

namespace cairn::kernels {

enum class FoldKind : uint8_t { kSum, kSumAbs, kSumSquare, kSumExp, kMax, kMin, kProd };

/// `offset` is subtracted before kSumExp takes the exponential; the others ignore it.
struct FoldFns {
  double init;
  double (*combine)(double a, double b);
  /// Folds `count` contiguous elements.
  double (*row)(const float* src, int64_t count, float offset);
  /// Folds `rows` rows, `row_stride` apart, of `cols` <= kFoldColumns columns into totals[cols].
  void (*columns)(const float* src, int64_t row_stride, int64_t rows, int64_t cols,
                  const float* offsets, double* totals);
};

inline constexpr int64_t kFoldColumns = 256;

FoldFns GetFold(Isa isa, FoldKind kind);

}  // namespace cairn::kernels
