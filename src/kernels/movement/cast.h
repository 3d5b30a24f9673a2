// SPDX-License-Identifier: Apache-2.0
// Conversion between all numeric element types of whole bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/element_type.h"
#include "kernels/isa.h"
#include "kernels/part.h"

namespace cairn::kernels {

/// Types f32, f64, f16, bf16, i8 to u64, bool. One rounding, nearest even, to floating point;
/// floating point to integer truncates, saturates and turns NaN into 0; between integers the low
/// bits stay; to bool: not 0. Contiguous.
struct CastParams {
  Isa isa;  ///< For the conversions between f32 and the 16-bit types.
  ElementType src_type, dst_type;
  int64_t count;
};
struct CastBuffers {
  const void* src;
  void* dst;  ///< May be src when both types have the same size.
};

bool SupportsCast(ElementType type);
inline size_t CastWorkspaceBytes(const CastParams&, int /*num_parts*/) { return 0; }
inline int CastPhases(const CastParams&) { return 1; }
void RunCast(const CastParams& params, const CastBuffers& buffers, int phase, Part part);

}  // namespace cairn::kernels
