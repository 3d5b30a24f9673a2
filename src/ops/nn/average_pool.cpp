// SPDX-License-Identifier: Apache-2.0
// AveragePool: mean over each window.
#include "ops/elements.h"
#include "ops/nn/pool.h"

namespace cairn {
namespace {

Status InferAveragePool(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  return InferPool(in, {in.type(0).dtype});
}

Status EvalAveragePool(EvalContext& in) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(const PoolGeometry geometry, ResolvePool(in.node(), x.shape()));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), geometry.output_shape));
  const bool include_pad = in.node().GetInt("count_include_pad", 0) != 0;
  const std::vector<double> values = ToDoubles(x);
  ForEachWindow(geometry.axes, [&](int64_t out, const WindowTaps& taps) {
    const double count =
        static_cast<double>(include_pad ? taps.covered : static_cast<int64_t>(taps.offsets.size()));
    for (int64_t p = 0; p < geometry.planes; ++p) {
      const double* plane = values.data() + p * geometry.in_plane;
      double sum = 0;
      for (const int64_t offset : taps.offsets) sum += plane[offset];
      y->SetDouble(p * geometry.out_plane + out, sum / count);
    }
  });
  return OkStatus();
}

}  // namespace

OpDef AveragePoolOp() {
  OpDef def("AveragePool");
  def.Input("X").Output("Y");
  return AddPoolAttrs(def)
      .DefaultAttr("count_include_pad", AttrKind::kInt, int64_t{0},
                   "1: padding counts as zeros; places beyond the padded input never count.")
      .Doc("Mean over each window of the spatial dims of X [N, C, spatial...].")
      .Infer(InferAveragePool)
      .Reference(EvalAveragePool);
}

}  // namespace cairn
