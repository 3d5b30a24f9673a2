// SPDX-License-Identifier: Apache-2.0
// Data movement by strided copies, shared by the lowerings of Concat, Split, Slice, Transpose and
// others.
#pragma once

#include <functional>

#include "kernels/movement/strided_copy.h"
#include "plan/emitter.h"

namespace cairn::plan {

/// The dims in which a tensor of `layout` is row-major.
Shape PhysicalShape(const Shape& shape, Layout layout, int c0);

/// Bytes of one element when kernels can move it as a whole, else 0.
int MovableBytes(const Value& value);

/// Appends a `strided_copy` task.
void EmitStridedCopy(Emitter& emit, TensorId src, TensorId dst,
                     const kernels::StridedCopyParams& copy);

/// Estimated cycles of moving `elements` of `element_bytes`; `row`: elements that stay neighbours.
double CopyCycles(const LowerContext& context, double elements, int element_bytes, int64_t row);

}  // namespace cairn::plan
