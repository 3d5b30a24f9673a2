// SPDX-License-Identifier: Apache-2.0
// Copies between strided tensors: transpose, slice, concat, split, expand, tile, depth to space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/isa.h"
#include "kernels/movement/nd_shape.h"
#include "kernels/part.h"

namespace cairn::kernels {

/// dst[dst_offset + i . dst_strides] = src[src_offset + i . src_strides] for all i < dims.
/// Offsets and strides are in elements. Bits are moved, whatever the type.
struct StridedCopyParams {
  Isa isa;
  int32_t element_bytes;  ///< 1, 2, 4, 8 or 16.
  NdShape<2> shape;       ///< Operand 0 is dst (no two elements at one place), 1 is src.
  int64_t dst_offset, src_offset;
};

struct StridedCopyBuffers {
  const void* src;
  void* dst;  ///< Overlaps nothing.
};

inline size_t StridedCopyWorkspaceBytes(const StridedCopyParams&, int /*num_parts*/) { return 0; }
inline int StridedCopyPhases(const StridedCopyParams&) { return 1; }
/// Fast: contiguous rows; 4-byte transpositions (vectors). Others move element by element.
void RunStridedCopy(const StridedCopyParams& params, const StridedCopyBuffers& buffers, int phase,
                    Part part);

/// The makers below take dense row-major tensors of rank <= kMaxNdRank (less where they say so) and
/// collapse the shape. Arguments are consistent as the operators demand.

/// dst dimension i is src dimension perm[i].
StridedCopyParams MakeTranspose(Isa isa, int element_bytes, std::span<const int64_t> src_dims,
                                std::span<const int> perm);

/// dst index i is src index start[i] + i * step[i]; steps may be negative.
StridedCopyParams MakeSlice(Isa isa, int element_bytes, std::span<const int64_t> src_dims,
                            std::span<const int64_t> starts, std::span<const int64_t> steps,
                            std::span<const int64_t> dst_dims);

/// Writes the whole of src into dst from `offset` on along `axis`: one input of a concat.
StridedCopyParams MakeConcatPart(Isa isa, int element_bytes, std::span<const int64_t> src_dims,
                                 int axis, int64_t offset, int64_t dst_axis_size);

/// Numpy broadcasting of src to dst; src_dims may have fewer dimensions.
StridedCopyParams MakeExpand(Isa isa, int element_bytes, std::span<const int64_t> src_dims,
                             std::span<const int64_t> dst_dims);

/// Repeats src repeats[i] times along dimension i. The dimensions with size and repeats other than
/// 1 plus the remaining ones must be at most kMaxNdRank; see FitsTile.
StridedCopyParams MakeTile(Isa isa, int element_bytes, std::span<const int64_t> src_dims,
                           std::span<const int64_t> repeats);
bool FitsTile(std::span<const int64_t> src_dims, std::span<const int64_t> repeats);

/// src [n, c, h, w] to [n, c / b^2, h * b, w * b]; `column_row_depth` as ONNX mode CRD, else DCR.
StridedCopyParams MakeDepthToSpace(Isa isa, int element_bytes, std::span<const int64_t> src_dims,
                                   int64_t block, bool column_row_depth);
/// src [n, c, h, w] to [n, c * b^2, h / b, w / b].
StridedCopyParams MakeSpaceToDepth(Isa isa, int element_bytes, std::span<const int64_t> src_dims,
                                   int64_t block);

}  // namespace cairn::kernels
