// SPDX-License-Identifier: Apache-2.0
// Gathers of slices and of single elements.
#include "kernels/movement/gather.h"

#include <cstring>

#include "kernels/movement/indices.h"

namespace cairn::kernels {
namespace {

// memcpy of a constant size for the common short elements.
inline void CopyBytes(char* dst, const char* src, int64_t bytes) {
  switch (bytes) {
    case 4:
      std::memcpy(dst, src, 4);
      break;
    case 8:
      std::memcpy(dst, src, 8);
      break;
    case 1:
      *dst = *src;
      break;
    default:
      std::memcpy(dst, src, bytes);
      break;
  }
}

}  // namespace

Fault RunGather(const GatherParams& p, const IndexedBuffers& b, int /*phase*/, Part part) {
  const IndexReader indices(b.indices, p.wide_indices);
  const int64_t bytes = p.inner * p.element_bytes;
  const auto* data = static_cast<const char*>(b.data);
  auto* dst = static_cast<char*>(b.dst);
  const Range range = PartRange(p.outer * p.num_indices, 16, part);
  for (int64_t i = range.begin; i < range.end; ++i) {
    int64_t at;
    if (!indices.Read(i % p.num_indices, p.axis, at)) return Fault::kIndexOutOfRange;
    CopyBytes(dst + i * bytes, data + (i / p.num_indices * p.axis + at) * bytes, bytes);
  }
  return Fault::kNone;
}

Fault RunGatherNd(const GatherNdParams& p, const IndexedBuffers& b, int /*phase*/, Part part) {
  const IndexReader indices(b.indices, p.wide_indices);
  const int64_t bytes = p.slice * p.element_bytes;
  int64_t slices = 1;
  for (int d = 0; d < p.depth; ++d) slices *= p.dims[d];
  const auto* data = static_cast<const char*>(b.data);
  auto* dst = static_cast<char*>(b.dst);
  const Range range = PartRange(p.batch * p.num_indices, 16, part);
  for (int64_t i = range.begin; i < range.end; ++i) {
    const int64_t slice = ReadSlice(indices, i * p.depth, p.depth, p.dims);
    if (slice < 0) return Fault::kIndexOutOfRange;
    CopyBytes(dst + i * bytes, data + (i / p.num_indices * slices + slice) * bytes, bytes);
  }
  return Fault::kNone;
}

Fault RunGatherElements(const GatherElementsParams& p, const IndexedBuffers& b, int /*phase*/,
                        Part part) {
  const IndexReader indices(b.indices, p.wide_indices);
  int64_t axis_stride = 1;
  const NdShape<2> shape = ElementsShape(p.rank, p.axis, p.data_dims, p.index_dims, axis_stride);
  const int64_t bytes = p.element_bytes, axis = p.data_dims[p.axis];
  const int64_t step = shape.strides[0][p.rank - 1];
  const auto* data = static_cast<const char*>(b.data);
  auto* dst = static_cast<char*>(b.dst);
  Fault fault = Fault::kNone;
  ForEachRow(shape, part, [&](const std::array<int64_t, 2>& start, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      int64_t at;
      if (!indices.Read(start[1] + i, axis, at)) {
        fault = Fault::kIndexOutOfRange;
        return;
      }
      CopyBytes(dst + (start[1] + i) * bytes,
                data + (start[0] + i * step + at * axis_stride) * bytes, bytes);
    }
  });
  return fault;
}

}  // namespace cairn::kernels
