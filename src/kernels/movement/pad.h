// SPDX-License-Identifier: Apache-2.0
// Padding and cropping of dense tensors.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/movement/nd_shape.h"
#include "kernels/part.h"

namespace cairn::kernels {

enum class PadMode : uint8_t {
  kConstant = 0,
  kReflect = 1,  ///< Mirrors about the border element, which is not repeated.
  kEdge = 2,
  kWrap = 3,
};

/// dst index i along dimension d is src index i - begin[d]; begin and the end implied by dst_dims
/// may be negative (cropping). Modes other than kConstant need non-empty src dimensions.
struct PadParams {
  int32_t element_bytes;  ///< 1, 2, 4, 8 or 16.
  PadMode mode;
  int32_t rank;
  NdArray src_dims, dst_dims, begin;
};

struct PadBuffers {
  const void* src;
  const void* value;  ///< One element; null means zero bits.
  void* dst;          ///< Overlaps nothing.
};

inline size_t PadWorkspaceBytes(const PadParams&, int /*num_parts*/) { return 0; }
inline int PadPhases(const PadParams&) { return 1; }
void RunPad(const PadParams& params, const PadBuffers& buffers, int phase, Part part);

}  // namespace cairn::kernels
