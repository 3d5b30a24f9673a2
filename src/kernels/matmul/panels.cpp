// SPDX-License-Identifier: Apache-2.0
// Packs matrices into panels.
#include "kernels/matmul/panels.h"

namespace cairn::kernels {

void PackPanel(const Panels& panels, int64_t panel, const float* b, int64_t depth,
               int64_t row_stride, int64_t col_stride, float* packed) {
  const int64_t width = panels.panel_vectors(panel) * panels.c0;
  const int64_t column = panels.first_vector(panel) * panels.c0;
  const int64_t valid = std::min(width, panels.columns - column);
  const float* source = b + column * col_stride;
  if (col_stride == 1) {
    for (int64_t k = 0; k < depth; ++k) {
      float* row = packed + k * width;
      std::copy_n(source + k * row_stride, valid, row);
      std::fill(row + valid, row + width, 0.0f);
    }
    return;
  }
  for (int64_t n = 0; n < width; ++n) {
    if (n < valid) {
      const float* from = source + n * col_stride;
      for (int64_t k = 0; k < depth; ++k) packed[k * width + n] = from[k * row_stride];
    } else {
      for (int64_t k = 0; k < depth; ++k) packed[k * width + n] = 0.0f;
    }
  }
}

}  // namespace cairn::kernels
