// SPDX-License-Identifier: Apache-2.0
// Strided copies as tasks.
#include "plan/movement.h"

namespace cairn::plan {

Shape PhysicalShape(const Shape& shape, Layout layout, int c0) {
  Shape dims = shape;
  if (layout == Layout::kBlocked) {
    dims[1] = (dims[1] + c0 - 1) / c0;
    dims.push_back(c0);
  }
  return dims;
}

int MovableBytes(const Value& value) {
  const int bits = ElementBits(value.type().dtype);
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128 ? bits / 8 : 0;
}

void EmitStridedCopy(Emitter& emit, TensorId src, TensorId dst,
                     const kernels::StridedCopyParams& copy) {
  DraftTask& task = emit.AddTask("strided_copy", {src}, {dst});
  const auto list = [&](const kernels::NdArray& values) {
    return Ints(values.begin(), values.begin() + copy.shape.rank);
  };
  TaskAttributes& attributes = task.task.attributes;
  attributes["dims"] = list(copy.shape.dims);
  attributes["dst_strides"] = list(copy.shape.strides[0]);
  attributes["src_strides"] = list(copy.shape.strides[1]);
  attributes["dst_offset"] = copy.dst_offset;
  attributes["src_offset"] = copy.src_offset;
  const int rank = copy.shape.rank;
  const bool rows = rank > 0 && copy.shape.strides[0][static_cast<size_t>(rank - 1)] == 1 &&
                    copy.shape.strides[1][static_cast<size_t>(rank - 1)] == 1;
  const auto count = static_cast<double>(copy.shape.Count());
  task.cycles = CopyCycles(emit.context(), count, copy.element_bytes,
                           rows ? copy.shape.dims[static_cast<size_t>(rank - 1)] : 1);
}

double CopyCycles(const LowerContext& context, double elements, int element_bytes, int64_t row) {
  const double per_row = row == 1 ? (element_bytes == 4 ? 0.7 : 2.0) : 8.0;
  return 300 + elements / static_cast<double>(row) * per_row +
         TrafficCycles(context, 2 * elements * element_bytes);
}

}  // namespace cairn::plan
