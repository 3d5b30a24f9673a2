// SPDX-License-Identifier: Apache-2.0
// Squeeze, Unsqueeze, Flatten: removing, inserting and joining dimensions.
#include <algorithm>

#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

bool Has(const std::vector<int64_t>& list, size_t axis) {
  return std::find(list.begin(), list.end(), static_cast<int64_t>(axis)) != list.end();
}

void KeepElements(InferContext& in) {
  if (auto elements = in.Elements(0)) in.SetElements(0, *std::move(elements));
}

Status InferSqueeze(InferContext& in) {
  const ElementType dtype = in.type(0).dtype;
  const Dims* x = in.dims(0);
  const auto given = in.Ints(1);
  const bool all_static = x && ConstDims(*x).has_value();
  if (!x || (in.has_input(1) && !given) || (!in.has_input(1) && !all_static)) {
    in.SetOutput(0, TensorType(dtype));
    KeepElements(in);
    return OkStatus();
  }
  std::vector<int64_t> axes;
  if (given) {
    ASSIGN_OR_RETURN(axes, NormalizeAxes(*given, in.type(0).rank()));
  }
  Dims dims;
  for (size_t axis = 0; axis < x->size(); ++axis) {
    const Dim& dim = (*x)[axis];
    const bool removed = given ? Has(axes, axis) : dim == Dim(1);
    if (!removed) {
      dims.push_back(dim);
    } else if (dim.is_const() && dim.value() != 1) {
      return Status(Code::kInvalidModel, StrCat("axis ", axis, " of ", in.type(0).ToString(),
                                                " is not 1 and cannot be squeezed"));
    }
  }
  in.SetOutput(0, TensorType(dtype, std::move(dims)));
  KeepElements(in);
  return OkStatus();
}

Status EvalSqueeze(EvalContext& in) {
  const Tensor& x = in.input(0);
  std::vector<int64_t> axes;
  if (in.has_input(1)) {
    ASSIGN_OR_RETURN(axes, NormalizeAxes(ToInts(in.input(1)), x.rank()));
  }
  Shape shape;
  for (size_t axis = 0; axis < x.shape().size(); ++axis) {
    const bool removed = in.has_input(1) ? Has(axes, axis) : x.shape()[axis] == 1;
    if (!removed) shape.push_back(x.shape()[axis]);
    if (removed && x.shape()[axis] != 1) {
      return Status(Code::kInvalidArgument, StrCat("axis ", axis, " of ", ShapeToString(x.shape()),
                                                   " is not 1 and cannot be squeezed"));
    }
  }
  in.SetOutput(0, x.Reshaped(std::move(shape)));
  return OkStatus();
}

Status InferUnsqueeze(InferContext& in) {
  const ElementType dtype = in.type(0).dtype;
  const Dims* x = in.dims(0);
  const auto given = in.Ints(1);
  if (!x || !given) {
    in.SetOutput(0, TensorType(dtype));
    KeepElements(in);
    return OkStatus();
  }
  const size_t rank = x->size() + given->size();
  ASSIGN_OR_RETURN(const std::vector<int64_t> axes,
                   NormalizeAxes(*given, static_cast<int64_t>(rank)));
  Dims dims;
  size_t next = 0;
  for (size_t axis = 0; axis < rank; ++axis)
    dims.push_back(Has(axes, axis) ? Dim(1) : (*x)[next++]);
  in.SetOutput(0, TensorType(dtype, std::move(dims)));
  KeepElements(in);
  return OkStatus();
}

Status EvalUnsqueeze(EvalContext& in) {
  const Tensor& x = in.input(0);
  const std::vector<int64_t> given = ToInts(in.input(1));
  const size_t rank = x.shape().size() + given.size();
  ASSIGN_OR_RETURN(const std::vector<int64_t> axes,
                   NormalizeAxes(given, static_cast<int64_t>(rank)));
  Shape shape;
  size_t next = 0;
  for (size_t axis = 0; axis < rank; ++axis)
    shape.push_back(Has(axes, axis) ? 1 : x.shape()[next++]);
  in.SetOutput(0, x.Reshaped(std::move(shape)));
  return OkStatus();
}

/// Flatten's axis may be the rank itself.
Result<size_t> FlattenAxis(const Node& node, size_t rank) {
  const int64_t axis = node.GetInt("axis", 1), limit = static_cast<int64_t>(rank);
  if (axis < -limit || axis > limit) {
    return Status(Code::kInvalidModel,
                  StrCat("axis is ", axis, ", expected a value in [", -limit, ", ", limit, "]"));
  }
  return static_cast<size_t>(axis < 0 ? axis + limit : axis);
}

Status InferFlatten(InferContext& in) {
  const ElementType dtype = in.type(0).dtype;
  if (!in.dims(0)) {
    in.SetOutput(0, TensorType(dtype, {in.NewSymbol(), in.NewSymbol()}));
    return OkStatus();
  }
  const Dims& x = *in.dims(0);
  ASSIGN_OR_RETURN(const size_t axis, FlattenAxis(in.node(), x.size()));
  in.SetOutput(0, TensorType(dtype, {ProductOf(x, 0, axis), ProductOf(x, axis, x.size())}));
  KeepElements(in);
  return OkStatus();
}

Status EvalFlatten(EvalContext& in) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(const size_t axis, FlattenAxis(in.node(), x.shape().size()));
  in.SetOutput(
      0, x.Reshaped({ProductOf(x.shape(), 0, axis), ProductOf(x.shape(), axis, x.shape().size())}));
  return OkStatus();
}

}  // namespace

OpDef SqueezeOp() {
  return OpDef("Squeeze")
      .Input("data")
      .OptionalInput("axes")
      .Output("squeezed")
      .Doc("Removes the given dimensions of size 1; all of them without axes.")
      .Infer(InferSqueeze)
      .Reference(EvalSqueeze)
      .Traits(kPure | kDataMovement);
}

OpDef UnsqueezeOp() {
  return OpDef("Unsqueeze")
      .Input("data")
      .Input("axes")
      .Output("expanded")
      .Doc("Inserts dimensions of size 1 at the given axes of the result.")
      .Infer(InferUnsqueeze)
      .Reference(EvalUnsqueeze)
      .Traits(kPure | kDataMovement);
}

OpDef FlattenOp() {
  return OpDef("Flatten")
      .Input("input")
      .Output("output")
      .DefaultAttr("axis", AttrKind::kInt, int64_t{1}, "First axis of the second dimension.")
      .Doc("A matrix: the dimensions before axis joined, and those from axis on.")
      .Infer(InferFlatten)
      .Reference(EvalFlatten)
      .Traits(kPure | kDataMovement);
}

}  // namespace cairn
