// SPDX-License-Identifier: Apache-2.0
// Chooses rows, matrix transpositions or single elements for a strided copy.
#include "kernels/movement/strided_copy.h"

#include <cstring>
#include <utility>

#include "kernels/layout/transpose2d.h"

namespace cairn::kernels {
namespace {

struct Bytes16 {
  uint64_t low, high;
};

template <class T>
void CopyRow(const T* src, int64_t src_stride, T* dst, int64_t dst_stride, int64_t count) {
  if (dst_stride == 1 && src_stride == 1) {
    std::memcpy(dst, src, count * sizeof(T));
  } else if (dst_stride == 1 && src_stride == 0) {
    std::fill_n(dst, count, *src);
  } else if (dst_stride == 1) {
    for (int64_t i = 0; i < count; ++i) dst[i] = src[i * src_stride];
  } else {
    for (int64_t i = 0; i < count; ++i) dst[i * dst_stride] = src[i * src_stride];
  }
}

// dst[c * dst_stride + r] = src[r * src_stride + c], in squares that fit into the nearest cache.
template <class T>
void TransposeElements(const T* src, int64_t src_stride, T* dst, int64_t dst_stride, int64_t rows,
                       int64_t cols) {
  constexpr int64_t kSquare = 16;
  for (int64_t r0 = 0; r0 < rows; r0 += kSquare) {
    const int64_t r1 = std::min(rows, r0 + kSquare);
    for (int64_t c0 = 0; c0 < cols; c0 += kSquare) {
      const int64_t c1 = std::min(cols, c0 + kSquare);
      for (int64_t c = c0; c < c1; ++c) {
        for (int64_t r = r0; r < r1; ++r) dst[c * dst_stride + r] = src[r * src_stride + c];
      }
    }
  }
}

// A shape of which dimension `rows` is contiguous in dst and `cols` in src, or -1 when there is
// none.
struct MatrixDims {
  int rows = -1, cols = -1;
};

MatrixDims FindMatrix(const NdShape<2>& shape) {
  MatrixDims m;
  for (int i = 0; i < shape.rank; ++i) {
    if (shape.strides[0][i] == 1 && shape.dims[i] > 1) m.rows = i;
    if (shape.strides[1][i] == 1 && shape.dims[i] > 1) m.cols = i;
  }
  return m;
}

template <class T>
class Copier {
 public:
  Copier(const StridedCopyParams& params, const StridedCopyBuffers& buffers)
      : p_(params),
        src_(static_cast<const T*>(buffers.src) + params.src_offset),
        dst_(static_cast<T*>(buffers.dst) + params.dst_offset) {}

  void Run(Part part) const {
    const MatrixDims m = FindMatrix(p_.shape);
    const bool matrix = m.rows >= 0 && m.cols >= 0 && m.rows != m.cols &&
                        p_.shape.dims[m.rows] >= 4 && p_.shape.dims[m.cols] >= 4;
    if (matrix) return Matrices(m, part);
    // Walk a longer dimension innermost rather than one of a few elements.
    const int last = p_.shape.rank - 1;
    NdShape<2> shape = p_.shape;
    if (last >= 1 && shape.dims[last] < 8 && shape.dims[last - 1] >= 8) {
      std::swap(shape.dims[last], shape.dims[last - 1]);
      for (NdArray& strides : shape.strides) std::swap(strides[last], strides[last - 1]);
    }
    Rows(shape, part);
  }

 private:
  void Rows(const NdShape<2>& shape, Part part) const {
    const int last = shape.rank - 1;
    const int64_t dst_stride = last >= 0 ? shape.strides[0][last] : 1;
    const int64_t src_stride = last >= 0 ? shape.strides[1][last] : 1;
    ForEachRow(shape, part, [&](const std::array<int64_t, 2>& at, int64_t count) {
      CopyRow(src_ + at[1], src_stride, dst_ + at[0], dst_stride, count);
    });
  }

  void Matrices(const MatrixDims& m, Part part) const {
    // The other dimensions, and tiles of the matrix as one more.
    constexpr int64_t kTile = 128;
    const int64_t rows = p_.shape.dims[m.rows], cols = p_.shape.dims[m.cols];
    const int64_t src_stride = p_.shape.strides[1][m.rows],
                  dst_stride = p_.shape.strides[0][m.cols];
    const int64_t row_tiles = (rows + kTile - 1) / kTile, col_tiles = (cols + kTile - 1) / kTile;
    int64_t outer = 1;
    for (int i = 0; i < p_.shape.rank; ++i) {
      if (i != m.rows && i != m.cols) outer *= p_.shape.dims[i];
    }
    const Range range = PartRange(outer * row_tiles * col_tiles, 1, part);
    for (int64_t unit = range.begin; unit < range.end; ++unit) {
      int64_t index = unit / (row_tiles * col_tiles), src = 0, dst = 0;
      for (int i = p_.shape.rank - 1; i >= 0; --i) {
        if (i == m.rows || i == m.cols) continue;
        dst += index % p_.shape.dims[i] * p_.shape.strides[0][i];
        src += index % p_.shape.dims[i] * p_.shape.strides[1][i];
        index /= p_.shape.dims[i];
      }
      const int64_t r = unit / col_tiles % row_tiles * kTile, c = unit % col_tiles * kTile;
      Transpose(src_ + src + r * src_stride + c, src_stride, dst_ + dst + c * dst_stride + r,
                dst_stride, std::min(kTile, rows - r), std::min(kTile, cols - c));
    }
  }

  void Transpose(const T* src, int64_t src_stride, T* dst, int64_t dst_stride, int64_t rows,
                 int64_t cols) const {
    if constexpr (sizeof(T) == 4) {
      GetTranspose2d(p_.isa)(reinterpret_cast<const float*>(src), src_stride,
                             reinterpret_cast<float*>(dst), dst_stride, rows, cols);
    } else {
      TransposeElements(src, src_stride, dst, dst_stride, rows, cols);
    }
  }

  const StridedCopyParams& p_;
  const T* src_;
  T* dst_;
};

}  // namespace

void RunStridedCopy(const StridedCopyParams& params, const StridedCopyBuffers& buffers,
                    int /*phase*/, Part part) {
  if (params.shape.Count() == 0) return;
  switch (params.element_bytes) {
    case 1:
      return Copier<uint8_t>(params, buffers).Run(part);
    case 2:
      return Copier<uint16_t>(params, buffers).Run(part);
    case 4:
      return Copier<uint32_t>(params, buffers).Run(part);
    case 8:
      return Copier<uint64_t>(params, buffers).Run(part);
    case 16:
      return Copier<Bytes16>(params, buffers).Run(part);
    default:
      return;
  }
}

}  // namespace cairn::kernels
