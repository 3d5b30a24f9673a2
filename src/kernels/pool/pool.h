// SPDX-License-Identifier: Apache-2.0
// Max and average pooling over windows of one to three spatial dimensions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/isa.h"
#include "kernels/part.h"

namespace cairn::kernels {

enum class PoolKind : uint8_t {
  kMax = 0,      ///< NaN wins; a window without valid positions gives -infinity.
  kAverage = 1,  ///< A window without counted positions gives 0.
};

/// Depth, height, width; unused leading dimensions are 1 with kernel 1, stride 1, no padding.
struct PoolParams {
  Isa isa;
  PoolKind kind;
  bool blocked;  ///< [N, ceil(C / c0), D, H, W, c0], c0 = VectorFloats(isa); else [N, C, D, H, W].
  bool count_include_pad;  ///< Average: padding positions count, those beyond pad_end do not.
  int64_t batch, channels;
  std::array<int64_t, 3> in, out, kernel, stride, dilation, pad_begin, pad_end;
};

struct PoolBuffers {
  const float* src;
  float* dst;  ///< Overlaps nothing.
};

inline size_t PoolWorkspaceBytes(const PoolParams&, int /*num_parts*/) { return 0; }
inline int PoolPhases(const PoolParams&) { return 1; }
/// Sums run over the window in row-major order, in f32.
void RunPool(const PoolParams& params, const PoolBuffers& buffers, int phase, Part part);

}  // namespace cairn::kernels
