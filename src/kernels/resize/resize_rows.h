// SPDX-License-Identifier: Apache-2.0
// Vector loops of the interpolation.
#pragma once

#include <cstdint>

#include "kernels/isa.h"
#include "kernels/resize/resize.h"

namespace cairn::kernels {

struct ResizeRowFns {
  /// dst[i] = sum over r of weights[r] * rows[r][i], rows in order.
  void (*across)(const float* const* rows, const float* weights, int num_rows, int64_t count,
                 float* dst);
  /// Along the last axis: dst[i * inner + c] = sum over taps of src[index * inner + c].
  void (*along)(const ResizeAxis& axis, int64_t inner, float extrapolation, const float* src,
                float* dst);
};
ResizeRowFns GetResizeRows(Isa isa);

}  // namespace cairn::kernels
