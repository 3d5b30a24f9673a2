// SPDX-License-Identifier: Apache-2.0
// DynamicQuantizeLinear: quantizes to u8 by the range of the data.
#include <algorithm>

#include "ops/elements.h"
#include "ops/quant/rounding.h"

namespace cairn {
namespace {

Status InferDynamicQuantizeLinear(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  TensorType type = in.type(0);
  type.dtype = ElementType::kU8;
  in.SetOutput(0, std::move(type));
  in.SetOutput(1, TensorType(ElementType::kF32, Dims()));
  in.SetOutput(2, TensorType(ElementType::kU8, Dims()));
  return OkStatus();
}

/// x / scale in single precision; a range of no extent has scale 0 and only zeros.
double Quotient(double x, double scale) {
  return scale == 0 ? 0 : RoundTo(ElementType::kF32, x / scale);
}

Status EvalDynamicQuantizeLinear(EvalContext& in) {
  const Tensor& x = in.input(0);
  double low = 0, high = 0;
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    low = std::min(low, x.GetDouble(i));
    high = std::max(high, x.GetDouble(i));
  }
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, ElementType::kU8, x.shape()));
  ASSIGN_OR_RETURN(Tensor * scale_out, in.NewOutput(1, ElementType::kF32, {}));
  ASSIGN_OR_RETURN(Tensor * zero_point, in.NewOutput(2, ElementType::kU8, {}));
  // The standard defines the operator as a function of single-precision steps.
  const double extent = RoundTo(ElementType::kF32, high - low);
  const double scale = RoundTo(ElementType::kF32, extent / 255);
  scale_out->SetDouble(0, scale);
  StoreQuantized(-Quotient(low, scale), 0, true, 0, *zero_point);
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    StoreQuantized(Quotient(x.GetDouble(i), scale), zero_point->GetDouble(0), true, i, *y);
  }
  return OkStatus();
}

}  // namespace

OpDef DynamicQuantizeLinearOp() {
  return OpDef("DynamicQuantizeLinear")
      .Input("x")
      .Output("y")
      .Output("y_scale")
      .Output("y_zero_point")
      .Doc(
          "y_scale = (max(x, 0) - min(x, 0)) / 255; y_zero_point = saturate(round(-min(x, 0) / "
          "y_scale)); y = saturate(round(x / y_scale) + y_zero_point); in single precision.")
      .Infer(InferDynamicQuantizeLinear)
      .Reference(EvalDynamicQuantizeLinear);
}

}  // namespace cairn
