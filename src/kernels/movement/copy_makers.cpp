// SPDX-License-Identifier: Apache-2.0
// Strides of the movement operators.
#include <utility>

#include "base/check.h"
#include "kernels/movement/strided_copy.h"

namespace cairn::kernels {
namespace {

NdArray DenseStrides(std::span<const int64_t> dims) {
  NdArray strides{};
  int64_t stride = 1;
  for (int i = static_cast<int>(dims.size()) - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= dims[i];
  }
  return strides;
}

StridedCopyParams Empty(Isa isa, int element_bytes) {
  StridedCopyParams p{};
  p.isa = isa;
  p.element_bytes = element_bytes;
  return p;
}

void AddDim(StridedCopyParams& p, int64_t size, int64_t dst_stride, int64_t src_stride) {
  CAIRN_CHECK(p.shape.rank < kMaxNdRank, "a strided copy has at most kMaxNdRank dimensions");
  const int i = p.shape.rank++;
  p.shape.dims[i] = size;
  p.shape.strides[0][i] = dst_stride;
  p.shape.strides[1][i] = src_stride;
}

}  // namespace

StridedCopyParams MakeTranspose(Isa isa, int element_bytes, std::span<const int64_t> src_dims,
                                std::span<const int> perm) {
  StridedCopyParams p = Empty(isa, element_bytes);
  const NdArray src = DenseStrides(src_dims);
  NdArray dims{};
  for (size_t i = 0; i < perm.size(); ++i) dims[i] = src_dims[perm[i]];
  const NdArray dst = DenseStrides({dims.data(), perm.size()});
  for (size_t i = 0; i < perm.size(); ++i) AddDim(p, dims[i], dst[i], src[perm[i]]);
  p.shape.Collapse();
  return p;
}

StridedCopyParams MakeSlice(Isa isa, int element_bytes, std::span<const int64_t> src_dims,
                            std::span<const int64_t> starts, std::span<const int64_t> steps,
                            std::span<const int64_t> dst_dims) {
  StridedCopyParams p = Empty(isa, element_bytes);
  const NdArray src = DenseStrides(src_dims), dst = DenseStrides(dst_dims);
  for (size_t i = 0; i < src_dims.size(); ++i) {
    AddDim(p, dst_dims[i], dst[i], src[i] * steps[i]);
    p.src_offset += starts[i] * src[i];
  }
  p.shape.Collapse();
  return p;
}

StridedCopyParams MakeConcatPart(Isa isa, int element_bytes, std::span<const int64_t> src_dims,
                                 int axis, int64_t offset, int64_t dst_axis_size) {
  StridedCopyParams p = Empty(isa, element_bytes);
  NdArray dst_dims{};
  for (size_t i = 0; i < src_dims.size(); ++i) dst_dims[i] = src_dims[i];
  dst_dims[axis] = dst_axis_size;
  const NdArray src = DenseStrides(src_dims);
  const NdArray dst = DenseStrides({dst_dims.data(), src_dims.size()});
  for (size_t i = 0; i < src_dims.size(); ++i) AddDim(p, src_dims[i], dst[i], src[i]);
  p.dst_offset = offset * dst[axis];
  p.shape.Collapse();
  return p;
}

StridedCopyParams MakeExpand(Isa isa, int element_bytes, std::span<const int64_t> src_dims,
                             std::span<const int64_t> dst_dims) {
  StridedCopyParams p = Empty(isa, element_bytes);
  const NdArray src = DenseStrides(src_dims), dst = DenseStrides(dst_dims);
  const size_t missing = dst_dims.size() - src_dims.size();
  for (size_t i = 0; i < dst_dims.size(); ++i) {
    const bool repeats = i < missing || src_dims[i - missing] == 1;
    AddDim(p, dst_dims[i], dst[i], repeats ? 0 : src[i - missing]);
  }
  p.shape.Collapse();
  return p;
}

bool FitsTile(std::span<const int64_t> src_dims, std::span<const int64_t> repeats) {
  int dims = 0;
  for (size_t i = 0; i < src_dims.size(); ++i) dims += (src_dims[i] != 1) + (repeats[i] != 1);
  return dims <= kMaxNdRank;
}

StridedCopyParams MakeTile(Isa isa, int element_bytes, std::span<const int64_t> src_dims,
                           std::span<const int64_t> repeats) {
  StridedCopyParams p = Empty(isa, element_bytes);
  const NdArray src = DenseStrides(src_dims);
  NdArray dst_dims{};
  for (size_t i = 0; i < src_dims.size(); ++i) dst_dims[i] = src_dims[i] * repeats[i];
  const NdArray dst = DenseStrides({dst_dims.data(), src_dims.size()});
  for (size_t i = 0; i < src_dims.size(); ++i) {
    if (repeats[i] != 1) AddDim(p, repeats[i], dst[i] * src_dims[i], 0);
    if (src_dims[i] != 1) AddDim(p, src_dims[i], dst[i], src[i]);
  }
  p.shape.Collapse();
  return p;
}

StridedCopyParams MakeDepthToSpace(Isa isa, int element_bytes, std::span<const int64_t> src_dims,
                                   int64_t block, bool column_row_depth) {
  StridedCopyParams p = Empty(isa, element_bytes);
  const int64_t n = src_dims[0], h = src_dims[2], w = src_dims[3];
  const int64_t depth = src_dims[1] / (block * block), plane = h * w;
  // src channel = (row * block + column) * depth + d, or (d * block + row) * block + column.
  const int64_t row = column_row_depth ? block * plane : block * depth * plane;
  const int64_t column = column_row_depth ? plane : depth * plane;
  const int64_t d = column_row_depth ? block * block * plane : plane;
  const int64_t out_w = w * block;
  AddDim(p, n, src_dims[1] * plane, src_dims[1] * plane);
  AddDim(p, depth, plane * block * block, d);
  AddDim(p, h, block * out_w, w);
  AddDim(p, block, out_w, row);
  AddDim(p, w, block, 1);
  AddDim(p, block, 1, column);
  p.shape.Collapse();
  return p;
}

StridedCopyParams MakeSpaceToDepth(Isa isa, int element_bytes, std::span<const int64_t> src_dims,
                                   int64_t block) {
  // The inverse of DepthToSpace in DCR order.
  const int64_t dims[] = {src_dims[0], src_dims[1] * block * block, src_dims[2] / block,
                          src_dims[3] / block};
  StridedCopyParams p = MakeDepthToSpace(isa, element_bytes, dims, block, false);
  std::swap(p.shape.strides[0], p.shape.strides[1]);
  // Order the dimensions by the new destination.
  for (int i = 1; i < p.shape.rank; ++i) {
    for (int j = i; j > 0 && p.shape.strides[0][j] > p.shape.strides[0][j - 1]; --j) {
      std::swap(p.shape.dims[j], p.shape.dims[j - 1]);
      std::swap(p.shape.strides[0][j], p.shape.strides[0][j - 1]);
      std::swap(p.shape.strides[1][j], p.shape.strides[1][j - 1]);
    }
  }
  p.shape.Collapse();
  return p;
}

}  // namespace cairn::kernels
