// SPDX-License-Identifier: Apache-2.0
// Which scale and zero point belong to an element: per tensor, per axis, or per block.
#pragma once

#include "ops/op_def.h"

namespace cairn {

/// Adds the attributes `axis` and `block_size`.
OpDef& AddGranularityAttrs(OpDef& def);

/// Checks scale (input 1) and zero point (input 2) against x (input 0) as far as known.
Status CheckGranularity(const InferContext& in);

/// Maps elements of x to elements of the scale.
struct Granularity {
  Shape strides;      ///< Distance in the scale of neighbours along each axis of x, 0 when shared.
  size_t axis = 0;    ///< The blocked axis.
  int64_t block = 1;  ///< Neighbours along `axis` that share one scale.
};
/// From the shapes of x and scale: one element is per tensor; rank 1 is per attribute `axis`;
/// equal ranks are blocks of `block_size` along `axis`.
Result<Granularity> ResolveGranularity(const Node& node, const Shape& x, const Shape& scale);

/// The offset in the scale for the element of x at `index`.
inline int64_t ScaleOffset(const Granularity& granularity, const Shape& index) {
  int64_t offset = 0;
  for (size_t d = 0; d < index.size(); ++d) {
    const int64_t i = d == granularity.axis ? index[d] / granularity.block : index[d];
    offset += i * granularity.strides[d];
  }
  return offset;
}

}  // namespace cairn
