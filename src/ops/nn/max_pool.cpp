// SPDX-License-Identifier: Apache-2.0
// MaxPool: maximum over each window, and where it was found.
#include <cmath>
#include <limits>

#include "ops/elements.h"
#include "ops/nn/pool.h"

namespace cairn {
namespace {

Status InferMaxPool(InferContext& in) {
  return InferPool(in, {in.type(0).dtype, ElementType::kI64});
}

/// Flat index in the tensor, of offset `offset` in plane `plane`; in storage order 1 the spatial
/// dims are counted first dim fastest.
int64_t FlatIndex(const PoolGeometry& geometry, int64_t plane, int64_t offset, bool first_fastest) {
  if (!first_fastest) return plane * geometry.in_plane + offset;
  int64_t reversed = 0;
  int64_t rest = offset, stride = geometry.in_plane;
  for (size_t i = geometry.axes.size(); i-- > 0;) {
    stride /= geometry.axes[i].in;
    reversed += rest % geometry.axes[i].in * stride;
    rest /= geometry.axes[i].in;
  }
  return plane * geometry.in_plane + reversed;
}

Status EvalMaxPool(EvalContext& in) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(const PoolGeometry geometry, ResolvePool(in.node(), x.shape()));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), geometry.output_shape));
  ASSIGN_OR_RETURN(Tensor * indices, in.NewOutput(1, ElementType::kI64, geometry.output_shape));
  const bool first_fastest = in.node().GetInt("storage_order", 0) != 0;
  const std::vector<double> values = ToDoubles(x);
  ForEachWindow(geometry.axes, [&](int64_t out, const WindowTaps& taps) {
    for (int64_t p = 0; p < geometry.planes; ++p) {
      const double* plane = values.data() + p * geometry.in_plane;
      double best = -std::numeric_limits<double>::infinity();
      int64_t where = taps.offsets.empty() ? 0 : taps.offsets[0];
      for (const int64_t offset : taps.offsets) {
        if (plane[offset] > best || std::isnan(plane[offset])) {
          best = plane[offset];
          where = offset;
        }
        if (std::isnan(best)) break;
      }
      y->SetDouble(p * geometry.out_plane + out, best);
      indices->SetInt(p * geometry.out_plane + out, FlatIndex(geometry, p, where, first_fastest));
    }
  });
  return OkStatus();
}

}  // namespace

OpDef MaxPoolOp() {
  OpDef def("MaxPool");
  def.Input("X").Output("Y").Output("Indices");
  return AddPoolAttrs(def)
      .DefaultAttr(
          "storage_order", AttrKind::kInt, int64_t{0},
          "Order in which Indices count the spatial dims: 0 last fastest, 1 first fastest.")
      .Doc(
          "Maximum over each window of the spatial dims of X [N, C, spatial...]; NaN wins. "
          "Indices: "
          "position of the first maximum in X, flattened.")
      .Infer(InferMaxPool)
      .Reference(EvalMaxPool);
}

}  // namespace cairn
