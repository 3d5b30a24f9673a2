// SPDX-License-Identifier: Apache-2.0
// Transpose: permutes axes.
#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

Result<std::vector<int64_t>> Permutation(const Node& node, int64_t rank) {
  std::vector<int64_t> perm = node.GetInts("perm");
  if (!node.HasAttribute("perm")) {
    for (int64_t i = rank; i-- > 0;) perm.push_back(i);
  }
  if (static_cast<int64_t>(perm.size()) != rank) {
    return Status(Code::kInvalidModel, StrCat("perm ", ShapeToString(perm), " has ", perm.size(),
                                              " values, expected ", rank));
  }
  return NormalizeAxes(perm, rank);
}

Status InferTranspose(InferContext& in) {
  if (!in.dims(0)) {
    in.SetOutput(0, TensorType(in.type(0).dtype));
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const std::vector<int64_t> perm, Permutation(in.node(), in.type(0).rank()));
  Dims dims;
  for (const int64_t axis : perm) dims.push_back((*in.dims(0))[static_cast<size_t>(axis)]);
  in.mutable_node().Set("perm", perm);
  in.SetOutput(0, TensorType(in.type(0).dtype, std::move(dims)));
  if (auto elements = in.Elements(0); elements && perm.size() < 2) in.SetElements(0, *elements);
  return OkStatus();
}

Status EvalTranspose(EvalContext& in) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(const std::vector<int64_t> perm, Permutation(in.node(), x.rank()));
  const Shape strides = RowMajorStrides(x.shape());
  Shape shape, steps;
  for (const int64_t axis : perm) {
    shape.push_back(x.shape()[static_cast<size_t>(axis)]);
    steps.push_back(strides[static_cast<size_t>(axis)]);
  }
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), shape));
  Shape index(shape.size(), 0);
  for (int64_t i = 0; i < y->num_elements(); ++i, NextIndex(shape, index)) {
    int64_t from = 0;
    for (size_t d = 0; d < index.size(); ++d) from += index[d] * steps[d];
    CopyElement(x, from, *y, i);
  }
  return OkStatus();
}

}  // namespace

OpDef TransposeOp() {
  return OpDef("Transpose")
      .Input("data")
      .Output("transposed")
      .OptionalAttr("perm", AttrKind::kInts,
                    "Axis of data that becomes each axis; reversed by default.")
      .Doc("Permutes the axes of data.")
      .Infer(InferTranspose)
      .Reference(EvalTranspose)
      .Traits(kPure | kDataMovement);
}

}  // namespace cairn
