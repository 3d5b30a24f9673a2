// SPDX-License-Identifier: Apache-2.0
// Softmax and log-softmax over one axis of a plain tensor.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/isa.h"
#include "kernels/part.h"

namespace cairn::kernels {

/// The tensor is [outer, axis, inner] in row-major order. The greatest element is subtracted first;
/// a NaN or +infinity makes its whole axis NaN, as does an axis of -infinity alone.
struct SoftmaxParams {
  Isa isa;
  bool log;
  int64_t outer, axis, inner;
};

struct SoftmaxBuffers {
  const float* src;
  float* dst;  ///< May be src.
};

inline size_t SoftmaxWorkspaceBytes(const SoftmaxParams&, int /*num_parts*/) { return 0; }
inline int SoftmaxPhases(const SoftmaxParams&) { return 1; }
void RunSoftmax(const SoftmaxParams& params, const SoftmaxBuffers& buffers, int phase, Part part);

}  // namespace cairn::kernels
