// SPDX-License-Identifier: Apache-2.0
// Gather and scatter by indices that are checked while they are used.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/element_type.h"
#include "kernels/fault.h"
#include "kernels/movement/nd_shape.h"
#include "kernels/part.h"

namespace cairn::kernels {

/// Indices are i32 or i64; negative ones count from the end. On Fault::kIndexOutOfRange the
/// output's contents are unspecified; nothing outside the buffers is touched.
struct IndexedBuffers {
  const void* data;
  const void* indices;
  void* dst;            ///< Overlaps nothing, but for the scatters may be data.
  const void* updates;  ///< Scatters only.
};

/// dst [outer, num_indices, inner] = data [outer, axis, inner] at the indices along the axis.
struct GatherParams {
  int32_t element_bytes;
  bool wide_indices;  ///< i64 instead of i32.
  int64_t outer, axis, inner, num_indices;
};
inline size_t GatherWorkspaceBytes(const GatherParams&, int /*num_parts*/) { return 0; }
inline int GatherPhases(const GatherParams&) { return 1; }
Fault RunGather(const GatherParams& params, const IndexedBuffers& buffers, int phase, Part part);

/// dst and indices have the shape index_dims; dst[i] = data at i with its axis index replaced.
struct GatherElementsParams {
  int32_t element_bytes;
  bool wide_indices;
  int32_t rank, axis;
  NdArray data_dims, index_dims;
};
inline size_t GatherElementsWorkspaceBytes(const GatherElementsParams&, int) { return 0; }
inline int GatherElementsPhases(const GatherElementsParams&) { return 1; }
Fault RunGatherElements(const GatherElementsParams& params, const IndexedBuffers& buffers,
                        int phase, Part part);

/// data is [batch, dims[0], ..., dims[depth - 1], slice], indices [batch, num_indices, depth], dst
/// [batch, num_indices, slice].
struct GatherNdParams {
  int32_t element_bytes;
  bool wide_indices;
  int64_t batch, num_indices, slice;
  int32_t depth;
  NdArray dims;
};
inline size_t GatherNdWorkspaceBytes(const GatherNdParams&, int /*num_parts*/) { return 0; }
inline int GatherNdPhases(const GatherNdParams&) { return 1; }
Fault RunGatherNd(const GatherNdParams& params, const IndexedBuffers& buffers, int phase,
                  Part part);

enum class ScatterReduction : uint8_t { kNone = 0, kAdd, kMul, kMin, kMax };

/// True for the types that a reduction supports: f32, f64, i32, i64. kNone supports all.
bool SupportsScatter(ElementType type, ScatterReduction reduction);

/// dst = data, then dst[... index ...] = reduce(dst[...], updates) in the order of the indices: two
/// phases, the second on one thread, since indices may repeat. Shapes as for GatherNd, updates in
/// place of dst.
struct ScatterNdParams {
  ElementType type;
  ScatterReduction reduction;
  bool wide_indices;
  int64_t batch, num_indices, slice;
  int32_t depth;
  NdArray dims;
};
inline size_t ScatterNdWorkspaceBytes(const ScatterNdParams&, int /*num_parts*/) { return 0; }
inline int ScatterNdPhases(const ScatterNdParams&) { return 2; }
Fault RunScatterNd(const ScatterNdParams& params, const IndexedBuffers& buffers, int phase,
                   Part part);

/// The same for ScatterElements; indices and updates have the shape index_dims.
struct ScatterElementsParams {
  ElementType type;
  ScatterReduction reduction;
  bool wide_indices;
  int32_t rank, axis;
  NdArray data_dims, index_dims;
};
inline size_t ScatterElementsWorkspaceBytes(const ScatterElementsParams&, int) { return 0; }
inline int ScatterElementsPhases(const ScatterElementsParams&) { return 2; }
Fault RunScatterElements(const ScatterElementsParams& params, const IndexedBuffers& buffers,
                         int phase, Part part);

}  // namespace cairn::kernels
