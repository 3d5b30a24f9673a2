// SPDX-License-Identifier: Apache-2.0
// Reading and checking indices of gathers and scatters.
#pragma once

#include <cstdint>

#include "kernels/movement/nd_shape.h"

namespace cairn::kernels {

class IndexReader {
 public:
  IndexReader(const void* indices, bool wide)
      : narrow_(static_cast<const int32_t*>(indices)),
        wide_(wide ? static_cast<const int64_t*>(indices) : nullptr) {}

  /// Index `i`, counted from the end when negative; false when it is outside [-size, size).
  bool Read(int64_t i, int64_t size, int64_t& index) const {
    index = wide_ != nullptr ? wide_[i] : narrow_[i];
    if (index < 0) index += size;
    return index >= 0 && index < size;
  }

 private:
  const int32_t* narrow_;
  const int64_t* wide_;
};

/// The slice number that `depth` indices from `first` on select in `dims`; -1 when one is outside.
inline int64_t ReadSlice(const IndexReader& indices, int64_t first, int depth,
                         const NdArray& dims) {
  int64_t slice = 0;
  for (int d = 0; d < depth; ++d) {
    int64_t at;
    if (!indices.Read(first + d, dims[d], at)) return -1;
    slice = slice * dims[d] + at;
  }
  return slice;
}

/// Operands: data without its axis stride, index tensor. Walks the index tensor.
inline NdShape<2> ElementsShape(int rank, int axis, const NdArray& data_dims,
                                const NdArray& index_dims, int64_t& axis_stride) {
  NdShape<2> shape;
  shape.rank = rank;
  int64_t data_stride = 1, index_stride = 1;
  for (int i = rank - 1; i >= 0; --i) {
    shape.dims[i] = index_dims[i];
    shape.strides[0][i] = i == axis ? 0 : data_stride;
    shape.strides[1][i] = index_stride;
    if (i == axis) axis_stride = data_stride;
    data_stride *= data_dims[i];
    index_stride *= index_dims[i];
  }
  return shape;
}

}  // namespace cairn::kernels
