// SPDX-License-Identifier: Apache-2.0
// An iteration space of several strided operands, and the walk over its rows.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernels/part.h"

namespace cairn::kernels {

inline constexpr int kMaxNdRank = 8;
using NdArray = std::array<int64_t, kMaxNdRank>;

/// Element (i0, i1, ...) of operand k is at sum(i[d] * strides[k][d]) elements from its start.
/// Strides may be 0 or negative. Outermost dimension first.
template <int kOperands>
struct NdShape {
  int32_t rank = 0;
  NdArray dims{};
  std::array<NdArray, kOperands> strides{};

  int64_t Count() const {
    int64_t count = 1;
    for (int i = 0; i < rank; ++i) count *= dims[i];
    return count;
  }

  /// Drops dimensions of size 1 and merges neighbours that all operands walk alike.
  void Collapse() {
    int kept = 0;
    for (int i = 0; i < rank; ++i) {
      if (dims[i] == 1) continue;
      const bool merge = kept > 0 && std::all_of(strides.begin(), strides.end(), [&](NdArray& s) {
                           return s[kept - 1] == s[i] * dims[i];
                         });
      const int to = merge ? kept - 1 : kept++;
      dims[to] = merge ? dims[to] * dims[i] : dims[i];
      for (NdArray& s : strides) s[to] = s[i];
    }
    rank = kept;
  }
};

/// Elements of one piece of a row at most.
inline constexpr int64_t kNdPiece = 8192;

/// Calls visit(offsets, count) for the pieces of the innermost rows that belong to `part`, with
/// each operand's element offset. A shape of rank 0 is one row of one element.
template <int kOperands, class Visit>
void ForEachRow(const NdShape<kOperands>& shape, Part part, const Visit& visit) {
  const int last = shape.rank - 1;
  const int64_t row = last >= 0 ? shape.dims[last] : 1;
  int64_t rows = 1;
  for (int i = 0; i < last; ++i) rows *= shape.dims[i];
  if (row == 0) return;
  const int64_t pieces = (row + kNdPiece - 1) / kNdPiece;
  const Range range = PartRange(rows * pieces, 1, part);
  if (range.size() <= 0) return;
  // The position of the first row; then it counts up.
  NdArray at{};
  std::array<int64_t, kOperands> row_offsets{};
  int64_t index = range.begin / pieces;
  for (int i = last - 1; i >= 0; --i) {
    at[i] = index % shape.dims[i];
    index /= shape.dims[i];
    for (int k = 0; k < kOperands; ++k) row_offsets[k] += at[i] * shape.strides[k][i];
  }
  int64_t piece = range.begin % pieces;
  for (int64_t unit = range.begin; unit < range.end; ++unit) {
    std::array<int64_t, kOperands> offsets = row_offsets;
    const int64_t begin = piece * kNdPiece;
    for (int k = 0; k < kOperands && last >= 0; ++k) offsets[k] += begin * shape.strides[k][last];
    visit(offsets, std::min(kNdPiece, row - begin));
    if (++piece < pieces) continue;
    piece = 0;
    for (int i = last - 1; i >= 0; --i) {
      for (int k = 0; k < kOperands; ++k) row_offsets[k] += shape.strides[k][i];
      if (++at[i] < shape.dims[i]) break;
      for (int k = 0; k < kOperands; ++k) row_offsets[k] -= at[i] * shape.strides[k][i];
      at[i] = 0;
    }
  }
}

}  // namespace cairn::kernels
