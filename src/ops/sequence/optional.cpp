// SPDX-License-Identifier: Apache-2.0
// Optional values: making them, looking into them.
#include "ops/op_def.h"

namespace cairn {
namespace {

/// The type of the optional: of what it holds, or of attribute `type` when it holds nothing.
Result<TensorType> OptionalType(const Node& node, const TensorType* held) {
  if (!held) held = node.Get<TensorType>("type");
  if (!held) {
    return Status(Code::kInvalidModel, "an optional without a value needs attribute 'type'");
  }
  if (IsOptionalKind(held->kind)) {
    return Status(Code::kUnsupported, "optionals of optionals are not supported");
  }
  return held->As(OptionalOf(held->kind));
}

Status InferOptional(InferContext& in) {
  ASSIGN_OR_RETURN(TensorType type,
                   OptionalType(in.node(), in.has_input(0) ? &in.type(0) : nullptr));
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

Status EvalOptional(EvalContext& in) {
  if (in.has_input(0)) {
    in.SetOutput(0, Tensor::Optional(in.input(0)));
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const TensorType type, OptionalType(in.node(), nullptr));
  in.SetOutput(0, Tensor::Nothing(type));
  return OkStatus();
}

Status InferOptionalGetElement(InferContext& in) {
  const TensorType& type = in.type(0);
  in.SetOutput(0, IsOptionalKind(type.kind) ? type.As(HeldKind(type.kind)) : type);
  return OkStatus();
}

Status EvalOptionalGetElement(EvalContext& in) {
  const Tensor& value = in.input(0);
  if (!IsOptionalKind(value.kind())) {
    in.SetOutput(0, value);
    return OkStatus();
  }
  if (value.items().empty()) return Status(Code::kInvalidArgument, "the optional holds nothing");
  in.SetOutput(0, value.items()[0]);
  return OkStatus();
}

Status InferOptionalHasElement(InferContext& in) {
  in.SetOutput(0, TensorType(ElementType::kBool, Dims()));
  return OkStatus();
}

Status EvalOptionalHasElement(EvalContext& in) {
  const bool holds = in.has_input(0) && (!IsOptionalKind(in.input(0).kind()) ||
                                         !in.input(0).items().empty());
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, ElementType::kBool, {}));
  y->SetInt(0, holds ? 1 : 0);
  return OkStatus();
}

}  // namespace

OpDef OptionalOp() {
  return OpDef("Optional")
      .OptionalInput("input")
      .Output("output")
      .OptionalAttr("type", AttrKind::kType, "What an optional without a value could hold.")
      .Doc("An optional that holds the input, or nothing.")
      .Infer(InferOptional)
      .Reference(EvalOptional)
      .Traits(kPure | kAnyDtype | kAnyKind);
}

OpDef OptionalGetElementOp() {
  return OpDef("OptionalGetElement")
      .Input("input")
      .Output("output")
      .Doc("What the optional holds; holding nothing is an error. Other values pass as they are.")
      .Infer(InferOptionalGetElement)
      .Reference(EvalOptionalGetElement)
      .Traits(kPure | kAnyDtype | kAnyKind);
}

OpDef OptionalHasElementOp() {
  return OpDef("OptionalHasElement")
      .OptionalInput("input")
      .Output("output")
      .Doc("Whether the input is there and is no optional that holds nothing: bool.")
      .Infer(InferOptionalHasElement)
      .Reference(EvalOptionalHasElement)
      .Traits(kPure | kAnyDtype | kAnyKind);
}

}  // namespace cairn
