// SPDX-License-Identifier: Apache-2.0
// Packed weights: panels of output columns, each stored as the tile kernels read it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace cairn::kernels {

inline int64_t DivideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// How `columns` output columns are cut into panels of one to three vectors of c0 columns: two
/// each, and three in the last one when the number of vectors is odd (one when there is only one).
/// A packed matrix is [panel][row of the matrix][vectors of the panel * c0], the columns beyond the
/// last one being zeros; rows are in summation order.
struct Panels {
  int64_t columns;
  int c0;

  int64_t vectors() const { return DivideUp(columns, c0); }
  int64_t count() const { return std::max<int64_t>(vectors() / 2, columns > 0 ? 1 : 0); }
  int64_t first_vector(int64_t panel) const { return 2 * panel; }
  int panel_vectors(int64_t panel) const {
    return static_cast<int>(panel + 1 < count() ? 2 : vectors() - first_vector(panel));
  }
  /// Floats of `depth` packed rows of all panels, and where panel `panel` begins in them.
  int64_t packed_floats(int64_t depth) const { return vectors() * c0 * depth; }
  int64_t offset(int64_t panel, int64_t depth) const { return first_vector(panel) * c0 * depth; }
  /// Valid columns of the last vector of `panel`, 1..c0.
  int32_t tail_lanes(int64_t panel) const {
    return panel + 1 < count() ? c0 : static_cast<int32_t>(columns - (vectors() - 1) * c0);
  }
};

/// Packs rows [0, depth) of one panel of a matrix whose element (k, n) is b[k * row_stride + n *
/// col_stride].
void PackPanel(const Panels& panels, int64_t panel, const float* b, int64_t depth,
               int64_t row_stride, int64_t col_stride, float* packed);

}  // namespace cairn::kernels
