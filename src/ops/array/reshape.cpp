// SPDX-License-Identifier: Apache-2.0
// Reshape: the same elements under another shape.
#include <algorithm>

#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

/// What the dim -1 stands for: the elements of x over the product of the other dims. Equal factors
/// cancel first, so that sums among the dims do not hinder the division.
Result<Dim> InferredDim(const Dims& x, const Dims& others) {
  Dims numerator = x, denominator;
  for (const Dim& dim : others) {
    const auto same = std::find(numerator.begin(), numerator.end(), dim);
    if (same != numerator.end() && !(dim == Dim(0))) {
      numerator.erase(same);
    } else {
      denominator.push_back(dim);
    }
  }
  const Dim total = ProductOf(numerator), rest = ProductOf(denominator);
  if (rest.is_const() && rest.value() == 0) {
    return Status(Code::kInvalidModel, "-1 cannot be inferred next to a dimension of 0");
  }
  if (total.is_const() && rest.is_const() && total.value() % rest.value() != 0) {
    return Status(Code::kInvalidModel, StrCat("the elements of ", DimsToString(x),
                                              " do not divide by ", ProductOf(others)));
  }
  return Dim::FloorDiv(total, rest);
}

Status CheckCounts(const Dims& x, const Dims& y) {
  const auto from = ConstDims(x), to = ConstDims(y);
  if (!from || !to) return OkStatus();
  const Dim before = ProductOf(x), after = ProductOf(y);
  if (before == after) return OkStatus();
  return Status(Code::kInvalidModel, StrCat("the data ", DimsToString(x), " has ", before,
                                            " elements, the shape ", DimsToString(y), " ", after));
}

Result<Dims> TargetDims(InferContext& in, const Dims& target) {
  const bool allow_zero = in.node().GetInt("allowzero", 0) != 0;
  const Dims* x = in.dims(0);
  Dims dims;
  std::optional<size_t> inferred;
  bool certain = x != nullptr;
  for (size_t i = 0; i < target.size(); ++i) {
    const Dim& dim = target[i];
    if (!IsCertain(dim)) {
      dims.push_back(in.NewSymbol());
      certain = false;
    } else if (dim == Dim(0) && !allow_zero) {
      if (x && i >= x->size()) {
        return Status(Code::kInvalidModel, StrCat("shape ", DimsToString(target), ": 0 at axis ", i,
                                                  " copies no axis of ", DimsToString(*x)));
      }
      dims.push_back(x ? (*x)[i] : in.NewSymbol());
    } else if (dim == Dim(-1)) {
      if (inferred)
        return Status(Code::kInvalidModel, "more than one dimension of the shape is -1");
      inferred = i;
      dims.emplace_back(1);
    } else if (dim.is_const() && dim.value() < 0) {
      return Status(Code::kInvalidModel, StrCat("shape ", DimsToString(target), " contains ", dim));
    } else {
      dims.push_back(dim);
    }
  }
  if (!inferred) {
    if (x) RETURN_IF_ERROR(CheckCounts(*x, dims));
    return dims;
  }
  if (!certain) {
    dims[*inferred] = in.NewSymbol();
    return dims;
  }
  Dims others = dims;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(*inferred));
  ASSIGN_OR_RETURN(dims[*inferred], InferredDim(*x, others));
  return dims;
}

Status InferReshape(InferContext& in) {
  const ElementType dtype = in.type(0).dtype;
  RETURN_IF_ERROR(RequireRank(in, 1, 1));
  if (const auto target = in.Elements(1)) {
    ASSIGN_OR_RETURN(Dims dims, TargetDims(in, *target));
    in.SetOutput(0, TensorType(dtype, std::move(dims)));
  } else if (in.dims(1) && (*in.dims(1))[0].is_const() && (*in.dims(1))[0].value() <= 64) {
    Dims dims;
    for (int64_t i = 0; i < (*in.dims(1))[0].value(); ++i) dims.push_back(in.NewSymbol());
    in.SetOutput(0, TensorType(dtype, std::move(dims)));
  } else {
    in.SetOutput(0, TensorType(dtype));
  }
  if (auto elements = in.Elements(0)) in.SetElements(0, *std::move(elements));
  return OkStatus();
}

Status EvalReshape(EvalContext& in) {
  const Tensor& x = in.input(0);
  const bool allow_zero = in.node().GetInt("allowzero", 0) != 0;
  Shape shape = ToInts(in.input(1));
  int64_t product = 1;
  std::optional<size_t> inferred;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0 && !allow_zero && i < x.shape().size()) shape[i] = x.shape()[i];
    if (shape[i] == -1) {
      inferred = i;
    } else {
      product *= shape[i];
    }
  }
  if (inferred && product != 0) shape[*inferred] = x.num_elements() / product;
  ASSIGN_OR_RETURN(const int64_t count, NumElements(shape));
  if (count != x.num_elements()) {
    return Status(Code::kInvalidArgument, StrCat("cannot reshape ", ShapeToString(x.shape()),
                                                 " to ", ShapeToString(shape)));
  }
  in.SetOutput(0, x.Reshaped(std::move(shape)));
  return OkStatus();
}

}  // namespace

OpDef ReshapeOp() {
  return OpDef("Reshape")
      .Input("data")
      .Input("shape")
      .Output("reshaped")
      .DefaultAttr("allowzero", AttrKind::kInt, int64_t{0}, "1: a dimension 0 means 0, not a copy.")
      .Doc(
          "The elements of data under another shape: -1 stands for what is left over, 0 copies the "
          "dimension of data.")
      .Infer(InferReshape)
      .Reference(EvalReshape)
      .Traits(kPure | kDataMovement);
}

}  // namespace cairn
