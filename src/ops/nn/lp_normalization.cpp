// SPDX-License-Identifier: Apache-2.0
// LpNormalization: divides rows by their norm.
#include <cmath>

#include "ops/nn/axis_rows.h"

namespace cairn {
namespace {

Result<int64_t> ReadOrder(const Node& node) {
  const int64_t p = node.GetInt("p", 2);
  if (p == 1 || p == 2) return p;
  return Status(Code::kInvalidModel, StrCat("'p' is ", p, ", expected 1 or 2"));
}

Status InferLpNormalization(InferContext& in) {
  RETURN_IF_ERROR(ReadOrder(in.node()).status());
  return InferAlongAxis(in);
}

Status EvalLpNormalization(EvalContext& in) {
  ASSIGN_OR_RETURN(const int64_t p, ReadOrder(in.node()));
  return EvalAlongAxis(in, [p](std::vector<double>& row) {
    double sum = 0;
    for (const double x : row) sum += p == 1 ? std::fabs(x) : x * x;
    const double norm = p == 1 ? sum : std::sqrt(sum);
    for (double& x : row) x = norm == 0 ? 0 : x / norm;
  });
}

}  // namespace

OpDef LpNormalizationOp() {
  return OpDef("LpNormalization")
      .Input("input")
      .Output("output")
      .DefaultAttr("axis", AttrKind::kInt, int64_t{-1}, "The axis of the rows.")
      .DefaultAttr("p", AttrKind::kInt, int64_t{2}, "The norm: 1 sum of magnitudes, 2 Euclidean.")
      .Doc("Each row along one axis divided by its norm; a row of zeros stays.")
      .Infer(InferLpNormalization)
      .Reference(EvalLpNormalization);
}

}  // namespace cairn
