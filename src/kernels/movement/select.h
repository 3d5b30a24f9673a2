// SPDX-License-Identifier: Apache-2.0
// Where for elements of any size, fill and range.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/element_type.h"
#include "kernels/movement/nd_shape.h"
#include "kernels/part.h"

namespace cairn::kernels {

/// dst = condition != 0 ? a : b, with broadcasting. Operands of the shape: dst, condition (bytes),
/// a, b.
struct WhereParams {
  int32_t element_bytes;  ///< 1, 2, 4, 8 or 16.
  NdShape<4> shape;
};
struct WhereBuffers {
  const uint8_t* condition;
  const void* a;
  const void* b;
  void* dst;  ///< May be a or b where the strides are equal.
};
inline size_t WhereWorkspaceBytes(const WhereParams&, int /*num_parts*/) { return 0; }
inline int WherePhases(const WhereParams&) { return 1; }
void RunWhere(const WhereParams& params, const WhereBuffers& buffers, int phase, Part part);

/// Writes `count` copies of one element.
struct FillParams {
  int32_t element_bytes;  ///< 1, 2, 4, 8 or 16.
  int64_t count;
};
void RunFill(const FillParams& params, const void* value, void* dst, Part part);

/// dst[i] = start + i * delta, computed in the type; f32, f64, i16, i32 or i64.
struct RangeParams {
  ElementType type;
  int64_t count;
};
void RunRange(const RangeParams& params, const void* start, const void* delta, void* dst,
              Part part);

}  // namespace cairn::kernels
