// SPDX-License-Identifier: Apache-2.0
// What pools share: their geometry, and a walk over the windows of a plane.
#pragma once

#include <functional>
#include <vector>

#include "ops/nn/window.h"

namespace cairn {

/// A pool over x [N, C, spatial...]: every plane [spatial...] on its own.
struct PoolGeometry {
  Shape output_shape;
  int64_t planes = 0;     ///< N * C.
  int64_t in_plane = 0;   ///< Elements of an input plane.
  int64_t out_plane = 0;  ///< Elements of an output plane.
  std::vector<WindowAxis> axes;
};

/// Adds the attributes of a window, `kernel_shape` and `ceil_mode`.
OpDef& AddPoolAttrs(OpDef& def);

/// Outputs 0 and on: shape [N, C, pooled...] with `dtypes`.
Status InferPool(InferContext& in, const std::vector<ElementType>& dtypes);
Result<PoolGeometry> ResolvePool(const Node& node, const Shape& x);

/// The taps of one window inside the input, as offsets into a plane in row-major order. `covered`:
/// taps inside the padded input.
struct WindowTaps {
  std::vector<int64_t> offsets;
  int64_t covered = 0;
};
/// Calls `visit` for every output position of a plane, in row-major order.
void ForEachWindow(const std::vector<WindowAxis>& axes,
                   const std::function<void(int64_t out, const WindowTaps& taps)>& visit);

}  // namespace cairn
