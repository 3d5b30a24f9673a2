// SPDX-License-Identifier: Apache-2.0
// DequantizeLinear: y = (x - zero point) * scale.
#include "ops/axes.h"
#include "ops/elements.h"
#include "ops/quant/granularity.h"

namespace cairn {
namespace {

ElementType OutputType(const Node& node, ElementType scale) {
  const auto* type = node.Get<TensorType>("output_dtype");
  return type && type->dtype != ElementType::kUndefined ? type->dtype : scale;
}

Status InferDequantizeLinear(InferContext& in) {
  RETURN_IF_ERROR(CheckGranularity(in));
  RETURN_IF_ERROR(RequireFloat(in, 1));
  if (in.has_input(2)) RETURN_IF_ERROR(RequireSameDtype(in, 0, 2));
  TensorType type = in.type(0);
  type.dtype = OutputType(in.node(), in.type(1).dtype);
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

Status EvalDequantizeLinear(EvalContext& in) {
  const Tensor &x = in.input(0), &scale = in.input(1);
  ASSIGN_OR_RETURN(const Granularity granularity,
                   ResolveGranularity(in.node(), x.shape(), scale.shape()));
  const bool shifted = in.has_input(2);
  if (shifted && in.input(2).num_elements() != scale.num_elements()) {
    return Status(Code::kInvalidArgument, "scale and zero point have different sizes");
  }
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, OutputType(in.node(), scale.dtype()), x.shape()));
  Shape index(x.shape().size(), 0);
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    const int64_t s = ScaleOffset(granularity, index);
    const double zero_point = shifted ? in.input(2).GetDouble(s) : 0;
    y->SetDouble(i, (x.GetDouble(i) - zero_point) * scale.GetDouble(s));
    NextIndex(x.shape(), index);
  }
  return OkStatus();
}

}  // namespace

OpDef DequantizeLinearOp() {
  OpDef def("DequantizeLinear");
  def.Input("x").Input("x_scale").OptionalInput("x_zero_point").Output("y");
  return AddGranularityAttrs(def)
      .OptionalAttr("output_dtype", AttrKind::kType,
                    "Element type of y; that of the scale when absent.")
      .Doc(
          "y = (x - x_zero_point) * x_scale. One scale serves the tensor, a slice of `axis`, or a "
          "block.")
      .Infer(InferDequantizeLinear)
      .Reference(EvalDequantizeLinear);
}

}  // namespace cairn
