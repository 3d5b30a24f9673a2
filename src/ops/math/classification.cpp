// SPDX-License-Identifier: Apache-2.0
// IsNaN, IsInf.
#include <cmath>

#include "ops/elementwise.h"

namespace cairn {
namespace {

Status InferBoolLikeFirst(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  TensorType type = in.type(0);
  type.dtype = ElementType::kBool;
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

Status EvalIsNaN(EvalContext& in) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, ElementType::kBool, x.shape()));
  for (int64_t i = 0; i < x.num_elements(); ++i) y->SetInt(i, std::isnan(x.GetDouble(i)));
  return OkStatus();
}

Status EvalIsInf(EvalContext& in) {
  const Tensor& x = in.input(0);
  const bool positive = in.node().GetInt("detect_positive", 1) != 0;
  const bool negative = in.node().GetInt("detect_negative", 1) != 0;
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, ElementType::kBool, x.shape()));
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    const double value = x.GetDouble(i);
    y->SetInt(i, std::isinf(value) && (value > 0 ? positive : negative));
  }
  return OkStatus();
}

}  // namespace

OpDef IsNaNOp() {
  return OpDef("IsNaN")
      .Input("X")
      .Output("Y")
      .Doc("True where x is NaN.")
      .Infer(InferBoolLikeFirst)
      .Reference(EvalIsNaN)
      .Traits(kPure | kElementwise);
}

OpDef IsInfOp() {
  return OpDef("IsInf")
      .Input("X")
      .Output("Y")
      .DefaultAttr("detect_negative", AttrKind::kInt, int64_t{1}, "Whether -Inf counts.")
      .DefaultAttr("detect_positive", AttrKind::kInt, int64_t{1}, "Whether +Inf counts.")
      .Doc("True where x is infinite, of the signs asked for.")
      .Infer(InferBoolLikeFirst)
      .Reference(EvalIsInf)
      .Traits(kPure | kElementwise);
}

}  // namespace cairn
