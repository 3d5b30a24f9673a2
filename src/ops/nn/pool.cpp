// SPDX-License-Identifier: Apache-2.0
// What pools share: their geometry, and a walk over the windows of a plane.
#include "ops/nn/pool.h"

#include "ops/axes.h"

namespace cairn {
namespace {

/// Appends the taps of the window at output `position`, axis by axis.
void CollectTaps(const std::vector<WindowAxis>& axes, const Shape& position, size_t axis,
                 int64_t offset, bool inside, WindowTaps& taps) {
  if (axis == axes.size()) {
    ++taps.covered;
    if (inside) taps.offsets.push_back(offset);
    return;
  }
  const WindowAxis& a = axes[axis];
  const int64_t start = position[axis] * a.stride - a.pad_begin;
  for (int64_t k = 0; k < a.kernel; ++k) {
    const int64_t i = start + k * a.dilation;
    if (i >= a.in + a.pad_end) break;
    CollectTaps(axes, position, axis + 1, offset * a.in + i, inside && i >= 0 && i < a.in, taps);
  }
}

}  // namespace

OpDef& AddPoolAttrs(OpDef& def) {
  return AddWindowAttrs(def)
      .Attr("kernel_shape", AttrKind::kInts, "Size of the window per spatial axis.")
      .DefaultAttr("ceil_mode", AttrKind::kInt, int64_t{0},
                   "1: a last window that starts inside the input or its begin padding counts even "
                   "when it reaches beyond the padded end.");
}

Status InferPool(InferContext& in, const std::vector<ElementType>& dtypes) {
  const Dims* x = in.dims(0);
  if (!x) {
    for (size_t i = 0; i < dtypes.size(); ++i) in.SetOutput(i, TensorType(dtypes[i]));
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const Window window, ReadWindow(in.node(), in.node().GetInts("kernel_shape")));
  if (x->size() != window.rank() + 2) {
    return Status(Code::kInvalidModel, StrCat("'kernel_shape' has ", window.rank(),
                                              " values, the input is ", DimsToString(*x)));
  }
  ASSIGN_OR_RETURN(const Dims spatial, WindowOutputDims(window, std::span(*x).subspan(2)));
  Dims dims(x->begin(), x->begin() + 2);
  dims.insert(dims.end(), spatial.begin(), spatial.end());
  for (size_t i = 0; i < dtypes.size(); ++i) in.SetOutput(i, TensorType(dtypes[i], dims));
  return OkStatus();
}

Result<PoolGeometry> ResolvePool(const Node& node, const Shape& x) {
  ASSIGN_OR_RETURN(const Window window, ReadWindow(node, node.GetInts("kernel_shape")));
  if (x.size() != window.rank() + 2) {
    return Status(Code::kInvalidArgument, StrCat("'kernel_shape' has ", window.rank(),
                                                 " values, the input is ", ShapeToString(x)));
  }
  PoolGeometry geometry;
  ASSIGN_OR_RETURN(geometry.axes, ResolveWindow(window, std::span(x).subspan(2)));
  geometry.output_shape = {x[0], x[1]};
  for (const WindowAxis& axis : geometry.axes) geometry.output_shape.push_back(axis.out);
  geometry.planes = x[0] * x[1];
  geometry.in_plane = ProductOf(x, 2, x.size());
  geometry.out_plane = ProductOf(geometry.output_shape, 2, x.size());
  return geometry;
}

void ForEachWindow(const std::vector<WindowAxis>& axes,
                   const std::function<void(int64_t out, const WindowTaps& taps)>& visit) {
  Shape sizes;
  for (const WindowAxis& axis : axes) sizes.push_back(axis.out);
  if (ProductOf(sizes, 0, sizes.size()) == 0) return;
  Shape position(axes.size(), 0);
  WindowTaps taps;
  int64_t out = 0;
  do {
    taps.offsets.clear();
    taps.covered = 0;
    CollectTaps(axes, position, 0, 0, true, taps);
    visit(out++, taps);
  } while (NextIndex(sizes, position));
}

}  // namespace cairn
