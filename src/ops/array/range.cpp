// SPDX-License-Identifier: Apache-2.0
// Range, ConstantOfShape, EyeLike, OneHot: generated tensors.
#include <cmath>

#include "ops/elementwise.h"

namespace cairn {
namespace {

Status InferRange(InferContext& in) {
  RETURN_IF_ERROR(RequireSameDtype(in, 0, 1));
  RETURN_IF_ERROR(RequireSameDtype(in, 0, 2));
  const ElementType dtype = in.type(0).dtype;
  const auto start = in.Elements(0), limit = in.Elements(1), delta = in.Elements(2);
  const bool known =
      start && limit && delta && start->size() == 1 && limit->size() == 1 && delta->size() == 1;
  if (known && (*delta)[0] == Dim(0)) return Status(Code::kInvalidModel, "delta is 0");
  if (!known || !(*delta)[0].is_const() || !IsCertain((*start)[0]) || !IsCertain((*limit)[0])) {
    in.SetOutput(0, TensorType(dtype, {in.NewSymbol()}));
    return OkStatus();
  }
  const int64_t step = (*delta)[0].value();
  const Dim span = step > 0 ? (*limit)[0] - (*start)[0] : (*start)[0] - (*limit)[0];
  // The size of the least integer is no int64; no span is longer than that one step.
  const Dim count = step == INT64_MIN ? Dim::Min(Dim::Max(span, Dim(0)), Dim(1))
                                      : Dim::CeilDiv(Dim::Max(span, Dim(0)), Dim(std::abs(step)));
  in.SetOutput(0, TensorType(dtype, {count}));
  if (count.is_const() && count.value() <= 4096) {
    Dims elements;
    for (int64_t i = 0; i < count.value(); ++i) elements.push_back((*start)[0] + Dim(i * step));
    in.SetElements(0, std::move(elements));
  }
  return OkStatus();
}

Status EvalRange(EvalContext& in) {
  const ElementType dtype = in.input(0).dtype();
  if (IsFloat(dtype)) {
    const double start = in.input(0).GetDouble(0), delta = in.input(2).GetDouble(0);
    const double count = std::ceil((in.input(1).GetDouble(0) - start) / delta);
    if (!(std::fabs(count) < 1e15)) return Status(Code::kInvalidArgument, "the range has no end");
    ASSIGN_OR_RETURN(Tensor * y,
                     in.NewOutput(0, dtype, {std::max<int64_t>(0, static_cast<int64_t>(count))}));
    for (int64_t i = 0; i < y->num_elements(); ++i)
      y->SetDouble(i, start + static_cast<double>(i) * delta);
    return OkStatus();
  }
  const int64_t start = in.input(0).GetInt(0), limit = in.input(1).GetInt(0),
                delta = in.input(2).GetInt(0);
  if (delta == 0) return Status(Code::kInvalidArgument, "delta is 0");
  const Dim span = delta > 0 ? Dim(limit) - Dim(start) : Dim(start) - Dim(limit);
  if (span.overflowed()) return Status(Code::kInvalidArgument, "the range is too long");
  // One step of either of the two largest sizes leaves any span.
  const int64_t step = delta == INT64_MIN ? INT64_MAX : std::abs(delta);
  const int64_t count = span.value() <= 0 ? 0 : (span.value() - 1) / step + 1;
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, dtype, {count}));
  for (int64_t i = 0; i < count; ++i) y->SetInt(i, start + i * delta);
  return OkStatus();
}

Tensor FillValue(const Node& node) {
  const auto* value = node.Get<Tensor>("value");
  return value ? *value : Tensor::ScalarF32(0);
}

Status InferConstantOfShape(InferContext& in) {
  const Tensor value = FillValue(in.node());
  if (value.num_elements() != 1) {
    return Status(Code::kInvalidModel,
                  StrCat("value has ", value.num_elements(), " elements, expected 1"));
  }
  const ElementType dtype = value.dtype();
  const auto target = in.Elements(0);
  Dims dims;
  if (target) {
    for (const Dim& dim : *target) {
      if (dim.is_const() && dim.value() < 0) {
        return Status(Code::kInvalidModel,
                      StrCat("shape ", DimsToString(*target), " contains ", dim));
      }
      dims.push_back(IsCertain(dim) ? dim : in.NewSymbol());
    }
  } else if (in.dims(0) && in.dims(0)->size() == 1 && (*in.dims(0))[0].is_const() &&
             (*in.dims(0))[0].value() <= 64) {
    for (int64_t i = 0; i < (*in.dims(0))[0].value(); ++i) dims.push_back(in.NewSymbol());
  } else {
    in.SetOutput(0, TensorType(dtype));
    return OkStatus();
  }
  const Dim count = ProductOf(dims);
  in.SetOutput(0, TensorType(dtype, std::move(dims)));
  if (IsInteger(dtype) && count.is_const() && count.value() >= 0 && count.value() <= 4096) {
    in.SetElements(0, Dims(static_cast<size_t>(count.value()), Dim(value.GetInt(0))));
  }
  return OkStatus();
}

Status EvalConstantOfShape(EvalContext& in) {
  const Tensor value = FillValue(in.node());
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, value.dtype(), ToInts(in.input(0))));
  for (int64_t i = 0; i < y->num_elements(); ++i) CopyElement(value, 0, *y, i);
  return OkStatus();
}

ElementType EyeType(const Node& node, ElementType fallback) {
  const auto* type = node.Get<TensorType>("dtype");
  return type ? type->dtype : fallback;
}

Status InferEyeLike(InferContext& in) {
  RETURN_IF_ERROR(RequireRank(in, 0, 2));
  TensorType type = in.type(0);
  type.dtype = EyeType(in.node(), type.dtype);
  if (type.dtype != ElementType::kUndefined && !IsNumeric(type.dtype)) {
    return Status(Code::kUnsupported, StrCat("element type ", type.dtype, " is not supported"));
  }
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

Status EvalEyeLike(EvalContext& in) {
  const Tensor& x = in.input(0);
  const int64_t k = in.node().GetInt("k", 0);
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, EyeType(in.node(), x.dtype()), x.shape()));
  for (int64_t row = 0; row < x.shape()[0]; ++row) {
    for (int64_t col = 0; col < x.shape()[1]; ++col) {
      const int64_t at = row * x.shape()[1] + col;
      if (IsFloat(y->dtype())) {
        y->SetDouble(at, col - row == k);
      } else {
        y->SetInt(at, col - row == k);
      }
    }
  }
  return OkStatus();
}

Status InferOneHot(InferContext& in) {
  const ElementType dtype = in.type(2).dtype;
  if (!in.dims(0)) {
    in.SetOutput(0, TensorType(dtype));
    return OkStatus();
  }
  Dims dims = *in.dims(0);
  ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(in.node().GetInt("axis", -1),
                                                     static_cast<int64_t>(dims.size()) + 1));
  const auto depth = in.Elements(1);
  const bool known = depth && depth->size() == 1 && IsCertain((*depth)[0]);
  if (known && (*depth)[0].is_const() && (*depth)[0].value() < 0)
    return Status(Code::kInvalidArgument, StrCat("depth is ", (*depth)[0].value()));
  dims.insert(dims.begin() + axis, known ? (*depth)[0] : in.NewSymbol());
  in.SetOutput(0, TensorType(dtype, std::move(dims)));
  return OkStatus();
}

Status EvalOneHot(EvalContext& in) {
  const Tensor &indices = in.input(0), &values = in.input(2);
  const auto depth = static_cast<int64_t>(in.input(1).GetDouble(0));
  ASSIGN_OR_RETURN(const int64_t axis,
                   NormalizeAxis(in.node().GetInt("axis", -1), indices.rank() + 1));
  Shape shape = indices.shape();
  shape.insert(shape.begin() + axis, depth);
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, values.dtype(), shape));
  const int64_t inner = ProductOf(shape, static_cast<size_t>(axis) + 1, shape.size());
  for (int64_t i = 0; i < y->num_elements(); ++i) {
    const int64_t outer = i / (inner * depth), k = i / inner % depth;
    auto index = static_cast<int64_t>(indices.GetDouble(outer * inner + i % inner));
    if (index < 0) index += depth;
    CopyElement(values, index == k ? 1 : 0, *y, i);
  }
  return OkStatus();
}

}  // namespace

OpDef RangeOp() {
  return OpDef("Range")
      .Input("start")
      .Input("limit")
      .Input("delta")
      .Output("output")
      .Doc("start, start + delta, ... before limit.")
      .Infer(InferRange)
      .Reference(EvalRange);
}

OpDef ConstantOfShapeOp() {
  return OpDef("ConstantOfShape")
      .Input("input")
      .Output("output")
      .OptionalAttr("value", AttrKind::kTensor, "One element; f32 0 by default.")
      .Doc("A tensor of the given shape, filled with one value.")
      .Infer(InferConstantOfShape)
      .Reference(EvalConstantOfShape);
}

OpDef EyeLikeOp() {
  return OpDef("EyeLike")
      .Input("input")
      .Output("output")
      .OptionalAttr("dtype", AttrKind::kType,
                    "Element type of the result; that of the input by default.")
      .DefaultAttr("k", AttrKind::kInt, int64_t{0},
                   "Diagonal: 0 main, positive above, negative below.")
      .Doc("A matrix of the input's shape with ones on a diagonal.")
      .Infer(InferEyeLike)
      .Reference(EvalEyeLike);
}

OpDef OneHotOp() {
  return OpDef("OneHot")
      .Input("indices")
      .Input("depth")
      .Input("values")
      .Output("output")
      .DefaultAttr("axis", AttrKind::kInt, int64_t{-1}, "Where the new axis is inserted.")
      .Doc(
          "values[1] where the position along the new axis of size depth equals the index "
          "(negative "
          "ones count from the end), values[0] elsewhere.")
      .Infer(InferOneHot)
      .Reference(EvalOneHot);
}

}  // namespace cairn
