// SPDX-License-Identifier: Apache-2.0
// Transposition of matrices of 4-byte elements through vector registers.
#pragma once

#include <cstddef>

#include "kernels/isa.h"

namespace cairn::kernels {

/// dst[c * dst_stride + r] = src[r * src_stride + c] for r < rows, c < cols. Bits are moved, never
/// interpreted. The arrays do not overlap.
using Transpose2dFn = void (*)(const float* src, ptrdiff_t src_stride, float* dst,
                               ptrdiff_t dst_stride, ptrdiff_t rows, ptrdiff_t cols);
Transpose2dFn GetTranspose2d(Isa isa);

/// Between `rows` <= VectorFloats(isa) lines of `pixels` elements and pixels of one vector each.
/// `Block` sets the lanes from `rows` on to 0, `Unblock` drops them.
struct BlockTransposes {
  void (*block)(const float* src, ptrdiff_t src_stride, ptrdiff_t rows, float* dst,
                ptrdiff_t pixels);
  void (*unblock)(const float* src, ptrdiff_t rows, float* dst, ptrdiff_t dst_stride,
                  ptrdiff_t pixels);
};
BlockTransposes GetBlockTransposes(Isa isa);

}  // namespace cairn::kernels
