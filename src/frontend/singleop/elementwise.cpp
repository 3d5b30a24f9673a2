// SPDX-License-Identifier: Apache-2.0
// Element-wise operators that are more than one node of ours.
#include <cmath>

#include "frontend/singleop/builder.h"

namespace cairn::singleop {
namespace {

/// A scalar of `value`'s type.
Result<Value*> ScalarLike(Builder& b, Value* value, double number) {
  ASSIGN_OR_RETURN(Tensor scalar, Tensor::Allocate(value->type().dtype, {}));
  if (IsFloat(scalar.dtype()))
    scalar.SetDouble(0, number);
  else
    scalar.SetInt(0, static_cast<int64_t>(number));
  return b.Constant(std::move(scalar));
}

}  // namespace

// The target is the type of the output; `dst_type` says the same.
Status LowerCast(Builder& b) {
  ASSIGN_OR_RETURN(Value * x, b.In(0));
  return b.AddOutput(x);
}

// [Affine(x)] => factor * x + addend, in float32 unless it stays in integers.
Status LowerAffine(Builder& b) {
  ASSIGN_OR_RETURN(Value * x, b.Wide(0));
  const float factor = b.Float("factor", 1), addend = b.Float("addend", 0);
  const bool whole = factor == std::trunc(factor) && addend == std::trunc(addend);
  if (!IsFloat(x->type().dtype) && !whole) {
    ASSIGN_OR_RETURN(x, b.CastTo(x, ElementType::kF32));
  }
  if (factor != 1) {
    ASSIGN_OR_RETURN(Value * scale, ScalarLike(b, x, factor));
    ASSIGN_OR_RETURN(x, b.Make("Mul", {x, scale}));
  }
  if (addend != 0) {
    ASSIGN_OR_RETURN(Value * shift, ScalarLike(b, x, addend));
    ASSIGN_OR_RETURN(x, b.Make("Add", {x, shift}));
  }
  return b.AddOutput(x);
}

// [Muls(x)] => x * value
Status LowerMuls(Builder& b) {
  ASSIGN_OR_RETURN(Value * x, b.Wide(0));
  ASSIGN_OR_RETURN(Value * factor, ScalarLike(b, x, b.Float("value", 1)));
  ASSIGN_OR_RETURN(Value * result, b.Make("Mul", {x, factor}));
  return b.AddOutput(result);
}

// [ScaledAdd(x, y)] => x + alpha * y
Status LowerScaledAdd(Builder& b) {
  ASSIGN_OR_RETURN(Value * x, b.Wide(0));
  ASSIGN_OR_RETURN(Value * y, b.Wide(1));
  RETURN_IF_ERROR(b.MakeAlike(x, y));
  const float alpha = b.Float("alpha", 1);
  if (alpha != 1) {
    ASSIGN_OR_RETURN(Value * factor, ScalarLike(b, y, alpha));
    ASSIGN_OR_RETURN(y, b.Make("Mul", {y, factor}));
  }
  ASSIGN_OR_RETURN(Value * result, b.Make("Add", {x, y}));
  return b.AddOutput(result);
}

Status LowerRsqrt(Builder& b) {
  ASSIGN_OR_RETURN(Value * x, b.Wide(0));
  ASSIGN_OR_RETURN(Value * root, b.Make("Sqrt", {x}));
  ASSIGN_OR_RETURN(Value * result, b.Make("Reciprocal", {root}));
  return b.AddOutput(result);
}

Status LowerSquare(Builder& b) {
  ASSIGN_OR_RETURN(Value * x, b.In(0));
  ASSIGN_OR_RETURN(Value * result, b.Make("Mul", {x, x}));
  return b.AddOutput(result);
}

}  // namespace cairn::singleop
