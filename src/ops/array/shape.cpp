// SPDX-License-Identifier: Apache-2.0
// Shape, Size, Identity: facts about a tensor, and the tensor itself.
#include <algorithm>

#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

/// onnx:Shape start and end are clamped to [0, rank] after adding the rank to negative ones.
std::pair<int64_t, int64_t> Span(const Node& node, int64_t rank) {
  int64_t start = node.GetInt("start", 0), end = node.GetInt("end", rank);
  if (start < 0) start += rank;
  if (end < 0) end += rank;
  start = std::clamp<int64_t>(start, 0, rank);
  end = std::clamp<int64_t>(end, 0, rank);
  return {start, std::max(start, end)};
}

Status InferShape(InferContext& in) {
  if (!in.dims(0)) {
    in.SetOutput(0, TensorType(ElementType::kI64, {in.NewSymbol()}));
    return OkStatus();
  }
  const auto [start, end] = Span(in.node(), in.type(0).rank());
  Dims elements(in.dims(0)->begin() + start, in.dims(0)->begin() + end);
  in.SetOutput(0, TensorType(ElementType::kI64, {Dim(end - start)}));
  in.SetElements(0, std::move(elements));
  return OkStatus();
}

Status EvalShape(EvalContext& in) {
  const Shape& shape = in.input(0).shape();
  const auto [start, end] = Span(in.node(), in.input(0).rank());
  in.SetOutput(0, Tensor::FromInts({shape.begin() + start, shape.begin() + end}));
  return OkStatus();
}

Status InferSize(InferContext& in) {
  in.SetOutput(0, TensorType(ElementType::kI64, Dims{}));
  if (in.dims(0)) in.SetElements(0, {ProductOf(*in.dims(0))});
  return OkStatus();
}

Status EvalSize(EvalContext& in) {
  in.SetOutput(0, Tensor::ScalarInt(in.input(0).num_elements()));
  return OkStatus();
}

Status InferIdentity(InferContext& in) {
  in.SetOutput(0, in.type(0));
  if (auto elements = in.Elements(0)) in.SetElements(0, *std::move(elements));
  return OkStatus();
}

Status EvalIdentity(EvalContext& in) {
  in.SetOutput(0, in.input(0));
  return OkStatus();
}

}  // namespace

OpDef ShapeOp() {
  return OpDef("Shape")
      .Input("data")
      .Output("shape")
      .DefaultAttr("start", AttrKind::kInt, int64_t{0}, "First axis; negative counts from the end.")
      .OptionalAttr("end", AttrKind::kInt, "Axis to stop before; the rank by default.")
      .Doc("The dimensions of data from start to end as a vector.")
      .Infer(InferShape)
      .Reference(EvalShape)
      .Traits(kPure | kShapeOnly);
}

OpDef SizeOp() {
  return OpDef("Size")
      .Input("data")
      .Output("size")
      .Doc("The number of elements of data.")
      .Infer(InferSize)
      .Reference(EvalSize)
      .Traits(kPure | kShapeOnly);
}

OpDef IdentityOp() {
  return OpDef("Identity")
      .Input("input")
      .Output("output")
      .Doc("The input, unchanged.")
      .Infer(InferIdentity)
      .Reference(EvalIdentity)
      .Traits(kPure | kElementwise | kDataMovement | kAnyKind);
}

}  // namespace cairn
