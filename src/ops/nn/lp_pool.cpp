// SPDX-License-Identifier: Apache-2.0
// LpPool: p-norm over each window.
#include <cmath>

#include "ops/elements.h"
#include "ops/nn/pool.h"

namespace cairn {
namespace {

Status InferLpPool(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  return InferPool(in, {in.type(0).dtype});
}

Status EvalLpPool(EvalContext& in) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(const PoolGeometry geometry, ResolvePool(in.node(), x.shape()));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), geometry.output_shape));
  const double p = static_cast<double>(in.node().GetInt("p", 2));
  const std::vector<double> values = ToDoubles(x);
  ForEachWindow(geometry.axes, [&](int64_t out, const WindowTaps& taps) {
    for (int64_t i = 0; i < geometry.planes; ++i) {
      const double* plane = values.data() + i * geometry.in_plane;
      double sum = 0;
      for (const int64_t offset : taps.offsets) sum += std::pow(std::fabs(plane[offset]), p);
      y->SetDouble(i * geometry.out_plane + out, std::pow(sum, 1 / p));
    }
  });
  return OkStatus();
}

}  // namespace

OpDef LpPoolOp() {
  OpDef def("LpPool");
  def.Input("X").Output("Y");
  return AddPoolAttrs(def)
      .DefaultAttr("p", AttrKind::kInt, int64_t{2}, "The norm: (sum |x|^p)^(1/p).")
      .Doc("p-norm over each window of the spatial dims of X [N, C, spatial...].")
      .Infer(InferLpPool)
      .Reference(EvalLpPool);
}

}  // namespace cairn
