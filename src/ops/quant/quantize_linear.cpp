// SPDX-License-Identifier: Apache-2.0
// QuantizeLinear: y = saturate(round(x / scale) + zero point).
#include "ops/axes.h"
#include "ops/quant/granularity.h"
#include "ops/quant/rounding.h"

namespace cairn {
namespace {

/// The attribute's element type, or `fallback`.
ElementType TypeOr(const Node& node, const char* name, ElementType fallback) {
  const auto* type = node.Get<TensorType>(name);
  return type && type->dtype != ElementType::kUndefined ? type->dtype : fallback;
}

Status InferQuantizeLinear(InferContext& in) {
  RETURN_IF_ERROR(CheckGranularity(in));
  ElementType dtype = TypeOr(in.node(), "output_dtype", ElementType::kUndefined);
  const ElementType zero_point = in.has_input(2) ? in.type(2).dtype : ElementType::kUndefined;
  if (dtype == ElementType::kUndefined) dtype = zero_point;
  if (zero_point != ElementType::kUndefined && dtype != zero_point) {
    return Status(Code::kInvalidModel, StrCat("'output_dtype' is ", dtype, ", the zero point is ",
                                              zero_point, ", expected equal types"));
  }
  if (dtype == ElementType::kUndefined && !in.has_input(2)) dtype = ElementType::kU8;
  TensorType type = in.type(0);
  type.dtype = dtype;
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

Status EvalQuantizeLinear(EvalContext& in) {
  const Tensor &x = in.input(0), &scale = in.input(1);
  ASSIGN_OR_RETURN(const Granularity granularity,
                   ResolveGranularity(in.node(), x.shape(), scale.shape()));
  const bool shifted = in.has_input(2);
  if (shifted && in.input(2).num_elements() != scale.num_elements()) {
    return Status(Code::kInvalidArgument, "scale and zero point have different sizes");
  }
  const ElementType fallback = shifted ? in.input(2).dtype() : ElementType::kU8;
  const ElementType precision = TypeOr(in.node(), "precision", scale.dtype());
  const bool saturate = in.node().GetInt("saturate", 1) != 0;
  ASSIGN_OR_RETURN(Tensor * y,
                   in.NewOutput(0, TypeOr(in.node(), "output_dtype", fallback), x.shape()));
  Shape index(x.shape().size(), 0);
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    const int64_t s = ScaleOffset(granularity, index);
    const double quotient = RoundTo(precision, x.GetDouble(i) / scale.GetDouble(s));
    StoreQuantized(quotient, shifted ? in.input(2).GetDouble(s) : 0, saturate, i, *y);
    NextIndex(x.shape(), index);
  }
  return OkStatus();
}

}  // namespace

OpDef QuantizeLinearOp() {
  OpDef def("QuantizeLinear");
  def.Input("x").Input("y_scale").OptionalInput("y_zero_point").Output("y");
  return AddGranularityAttrs(def)
      .OptionalAttr("output_dtype", AttrKind::kType,
                    "Element type of y; that of the zero point, or u8, when absent.")
      .OptionalAttr("precision", AttrKind::kType,
                    "Precision of the division; that of the scale when absent.")
      .DefaultAttr("saturate", AttrKind::kInt, int64_t{1},
                   "0: 8-bit floats out of range become NaN or infinity.")
      .Doc(
          "y = saturate(round(x / y_scale) + y_zero_point), halves to even; small floats take x / "
          "y_scale as it is. One scale serves the tensor, a slice of `axis`, or a block.")
      .Infer(InferQuantizeLinear)
      .Reference(EvalQuantizeLinear);
}

}  // namespace cairn
