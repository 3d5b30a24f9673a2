// SPDX-License-Identifier: Apache-2.0
// RoundToType: what a value becomes by being kept in a smaller float type; no ONNX operator.
#include "base/half.h"
#include "ops/elementwise.h"

namespace cairn {
namespace {

Result<ElementType> TargetType(const Node& node) {
  const auto* type = node.Get<TensorType>("to");
  if (type && (type->dtype == ElementType::kF16 || type->dtype == ElementType::kBf16)) {
    return type->dtype;
  }
  return Status(Code::kInvalidModel, "attribute 'to' must be f16 or bf16");
}

Status InferRoundToType(InferContext& in) {
  RETURN_IF_ERROR(TargetType(in.node()).status());
  if (in.type(0).dtype != ElementType::kF32) {
    return Status(Code::kInvalidModel, StrCat("the input must be f32, found ", in.type(0)));
  }
  return InferSameAsFirst(in);
}

Status EvalRoundToType(EvalContext& in) {
  ASSIGN_OR_RETURN(const ElementType to, TargetType(in.node()));
  if (to == ElementType::kF16) {
    return EvalUnary(in, [](double x) { return double{F16ToF32(F64ToF16(x))}; });
  }
  return EvalUnary(in, [](double x) { return double{Bf16ToF32(F64ToBf16(x))}; });
}

}  // namespace

OpDef RoundToTypeOp() {
  return OpDef("RoundToType")
      .Input("X")
      .Output("Y")
      .Attr("to", AttrKind::kType, "f16 or bf16.")
      .Doc(
          "The nearest value of a smaller float type, halves to even, infinity when it is too "
          "large; the result stays f32. Made by the compiler where a precision mode asks for it.")
      .Infer(InferRoundToType)
      .Reference(EvalRoundToType)
      .Traits(kPure | kElementwise);
}

}  // namespace cairn
