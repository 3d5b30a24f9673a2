// SPDX-License-Identifier: Apache-2.0
// Expand, Tile: repeating elements.
#include "ops/elementwise.h"

namespace cairn {
namespace {

Status InferExpand(InferContext& in) {
  const ElementType dtype = in.type(0).dtype;
  RETURN_IF_ERROR(RequireRank(in, 1, 1));
  const auto target = in.Elements(1);
  if (!in.dims(0)) {
    in.SetOutput(0, TensorType(dtype));
    return OkStatus();
  }
  Dims to;
  if (target) {
    for (const Dim& dim : *target) {
      to.push_back(IsCertain(dim) ? dim : in.NewSymbol());
      if (dim.is_const() && dim.value() < 0) {
        return Status(Code::kInvalidModel,
                      StrCat("shape ", DimsToString(*target), " contains ", dim));
      }
    }
  } else if (in.dims(1) && (*in.dims(1))[0].is_const() && (*in.dims(1))[0].value() <= 64) {
    for (int64_t i = 0; i < (*in.dims(1))[0].value(); ++i) to.push_back(in.NewSymbol());
  } else {
    in.SetOutput(0, TensorType(dtype));
    return OkStatus();
  }
  ASSIGN_OR_RETURN(Dims dims, BroadcastDims(*in.dims(0), to, [&in] { return in.NewSymbol(); }));
  in.SetOutput(0, TensorType(dtype, dims));
  const auto elements = in.Elements(0);
  const Dim count = ProductOf(dims);
  if (elements && elements->size() == 1 && count.is_const() && count.value() >= 0 &&
      count.value() <= 4096) {
    in.SetElements(0, Dims(static_cast<size_t>(count.value()), (*elements)[0]));
  }
  return OkStatus();
}

Status EvalExpand(EvalContext& in) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(const Shape shape, BroadcastShapes(x.shape(), ToInts(in.input(1))));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), shape));
  ForEachPair(x.shape(), x.shape(), shape,
              [&](int64_t i, int64_t p, int64_t) { CopyElement(x, p, *y, i); });
  return OkStatus();
}

Status InferTile(InferContext& in) {
  const ElementType dtype = in.type(0).dtype;
  if (!in.dims(0)) {
    in.SetOutput(0, TensorType(dtype));
    return OkStatus();
  }
  Dims dims = *in.dims(0);
  const auto repeats = in.Elements(1);
  if (repeats && repeats->size() != dims.size()) {
    return Status(Code::kInvalidModel, StrCat("repeats has ", repeats->size(), " values, input ",
                                              in.type(0).ToString(), " needs ", dims.size()));
  }
  for (size_t d = 0; d < dims.size(); ++d) {
    if (!repeats || !IsCertain((*repeats)[d])) {
      dims[d] = in.NewSymbol();
    } else if ((*repeats)[d].is_const() && (*repeats)[d].value() < 0) {
      return Status(Code::kInvalidModel, StrCat("repeats contains ", (*repeats)[d]));
    } else {
      dims[d] = dims[d] * (*repeats)[d];
    }
  }
  in.SetOutput(0, TensorType(dtype, std::move(dims)));
  return OkStatus();
}

Status EvalTile(EvalContext& in) {
  const Tensor& x = in.input(0);
  const std::vector<int64_t> repeats = ToInts(in.input(1));
  if (repeats.size() != x.shape().size())
    return Status(Code::kInvalidArgument, "repeats do not fit the rank");
  Shape shape = x.shape();
  for (size_t d = 0; d < shape.size(); ++d) {
    if (__builtin_mul_overflow(shape[d], repeats[d], &shape[d])) {
      return Status(Code::kInvalidArgument, "the tiled shape is too large");
    }
  }
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), shape));
  const Shape strides = RowMajorStrides(x.shape());
  Shape index(shape.size(), 0);
  for (int64_t i = 0; i < y->num_elements(); ++i, NextIndex(shape, index)) {
    int64_t from = 0;
    for (size_t d = 0; d < index.size(); ++d) from += index[d] % x.shape()[d] * strides[d];
    CopyElement(x, from, *y, i);
  }
  return OkStatus();
}

}  // namespace

OpDef ExpandOp() {
  return OpDef("Expand")
      .Input("input")
      .Input("shape")
      .Output("output")
      .Doc("Broadcasts the input to the shape, as numpy's broadcasting of both.")
      .Infer(InferExpand)
      .Reference(EvalExpand)
      .Traits(kPure | kDataMovement);
}

OpDef TileOp() {
  return OpDef("Tile")
      .Input("input")
      .Input("repeats")
      .Output("output")
      .Doc("Repeats the input along every axis.")
      .Infer(InferTile)
      .Reference(EvalTile)
      .Traits(kPure | kDataMovement);
}

}  // namespace cairn
