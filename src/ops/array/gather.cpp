// SPDX-License-Identifier: Apache-2.0
// Gather, GatherElements, GatherND: reading by index.
#include <algorithm>

#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

Result<int64_t> Wrap(int64_t index, int64_t size) {
  if (index < -size || index >= size) {
    return Status(Code::kInvalidArgument,
                  StrCat("index ", index, " is out of range for size ", size));
  }
  return index < 0 ? index + size : index;
}

void GatherKnownElements(InferContext& in) {
  const auto data = in.Elements(0);
  const auto indices = in.Ints(1);
  if (!data || !indices || in.dims(0)->size() != 1) return;
  Dims picked;
  for (const int64_t index : *indices) {
    const auto at = Wrap(index, static_cast<int64_t>(data->size()));
    if (!at.ok()) return;
    picked.push_back((*data)[static_cast<size_t>(*at)]);
  }
  in.SetElements(0, std::move(picked));
}

Status InferGather(InferContext& in) {
  RETURN_IF_ERROR(RequireIndexType(in, 1));
  const ElementType dtype = in.type(0).dtype;
  if (!in.dims(0) || !in.dims(1)) {
    in.SetOutput(0, TensorType(dtype));
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const int64_t axis,
                   NormalizeAxis(in.node().GetInt("axis", 0), in.type(0).rank()));
  const Dims& data = *in.dims(0);
  Dims dims(data.begin(), data.begin() + axis);
  dims.insert(dims.end(), in.dims(1)->begin(), in.dims(1)->end());
  dims.insert(dims.end(), data.begin() + axis + 1, data.end());
  if (const auto indices = in.Ints(1); indices && data[static_cast<size_t>(axis)].is_const()) {
    for (const int64_t index : *indices) {
      auto wrapped = Wrap(index, data[static_cast<size_t>(axis)].value());
      if (!wrapped.ok()) return Status(Code::kInvalidModel, wrapped.status().message());
    }
  }
  in.mutable_node().Set("axis", axis);
  in.SetOutput(0, TensorType(dtype, std::move(dims)));
  GatherKnownElements(in);
  return OkStatus();
}

Status EvalGather(EvalContext& in) {
  const Tensor &data = in.input(0), &indices = in.input(1);
  ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(in.node().GetInt("axis", 0), data.rank()));
  const auto a = static_cast<size_t>(axis);
  Shape shape(data.shape().begin(), data.shape().begin() + axis);
  shape.insert(shape.end(), indices.shape().begin(), indices.shape().end());
  shape.insert(shape.end(), data.shape().begin() + axis + 1, data.shape().end());
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, data.dtype(), std::move(shape)));
  const int64_t outer = ProductOf(data.shape(), 0, a), size = data.shape()[a];
  const int64_t inner = ProductOf(data.shape(), a + 1, data.shape().size());
  int64_t to = 0;
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t k = 0; k < indices.num_elements(); ++k) {
      ASSIGN_OR_RETURN(const int64_t at, Wrap(indices.GetInt(k), size));
      for (int64_t i = 0; i < inner; ++i) CopyElement(data, (o * size + at) * inner + i, *y, to++);
    }
  }
  return OkStatus();
}

// Off the gathered axis the indices lie inside the data.
Status CheckIndicesFit(const Dims& data, const Dims& indices, int64_t axis) {
  for (size_t d = 0; d < data.size(); ++d) {
    if (static_cast<int64_t>(d) == axis || !data[d].is_const() || !indices[d].is_const()) continue;
    if (indices[d].value() > data[d].value()) {
      return Status(Code::kInvalidArgument,
                    StrCat("the indices have ", indices[d].value(), " elements on axis ", d,
                           ", the data only ", data[d].value()));
    }
  }
  return OkStatus();
}

Status InferGatherElements(InferContext& in) {
  RETURN_IF_ERROR(RequireIndexType(in, 1));
  TensorType type(in.type(0).dtype);
  type.dims = in.type(1).dims;
  if (in.dims(0)) {
    ASSIGN_OR_RETURN(const int64_t axis,
                     NormalizeAxis(in.node().GetInt("axis", 0), in.type(0).rank()));
    RETURN_IF_ERROR(RequireRank(in, 1, in.type(0).rank()));
    if (type.dims) RETURN_IF_ERROR(CheckIndicesFit(*in.dims(0), *type.dims, axis));
  }
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

Status EvalGatherElements(EvalContext& in) {
  const Tensor &data = in.input(0), &indices = in.input(1);
  ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(in.node().GetInt("axis", 0), data.rank()));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, data.dtype(), indices.shape()));
  if (indices.rank() != data.rank()) return Status(Code::kInvalidArgument, "ranks differ");
  const Shape strides = RowMajorStrides(data.shape());
  Shape index(indices.shape().size(), 0);
  for (int64_t i = 0; i < y->num_elements(); ++i, NextIndex(indices.shape(), index)) {
    int64_t from = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      const int64_t at = static_cast<int64_t>(d) == axis ? indices.GetInt(i) : index[d];
      ASSIGN_OR_RETURN(const int64_t wrapped, Wrap(at, data.shape()[d]));
      from += wrapped * strides[d];
    }
    CopyElement(data, from, *y, i);
  }
  return OkStatus();
}

Status InferGatherND(InferContext& in) {
  const ElementType dtype = in.type(0).dtype;
  if (!in.dims(0) || !in.dims(1) || in.dims(1)->empty() || !in.dims(1)->back().is_const()) {
    in.SetOutput(0, TensorType(dtype));
    return OkStatus();
  }
  const Dims &data = *in.dims(0), &indices = *in.dims(1);
  const int64_t batch = in.node().GetInt("batch_dims", 0), depth = indices.back().value();
  if (batch < 0 || batch >= static_cast<int64_t>(indices.size()) || depth < 1 ||
      batch + depth > static_cast<int64_t>(data.size())) {
    return Status(Code::kInvalidModel,
                  StrCat("indices ", in.type(1).ToString(), " with batch_dims ", batch,
                         " do not address data ", in.type(0).ToString()));
  }
  Dims dims(indices.begin(), indices.end() - 1);
  dims.insert(dims.end(), data.begin() + batch + depth, data.end());
  in.SetOutput(0, TensorType(dtype, std::move(dims)));
  return OkStatus();
}

Status EvalGatherND(EvalContext& in) {
  const Tensor &data = in.input(0), &indices = in.input(1);
  const int64_t batch_dims = in.node().GetInt("batch_dims", 0);
  const int64_t depth = indices.rank() == 0 ? 0 : indices.shape().back();
  if (batch_dims < 0 || batch_dims >= indices.rank() || depth < 1 ||
      depth > data.rank() - batch_dims ||
      !std::equal(data.shape().begin(), data.shape().begin() + batch_dims,
                  indices.shape().begin())) {
    return Status(Code::kInvalidArgument,
                  StrCat("indices ", ShapeToString(indices.shape()), " with batch_dims ",
                         batch_dims, " do not address data ", ShapeToString(data.shape())));
  }
  const auto batch = static_cast<size_t>(batch_dims);
  const size_t first = batch + static_cast<size_t>(depth);
  Shape shape(indices.shape().begin(), indices.shape().end() - 1);
  shape.insert(shape.end(), data.shape().begin() + static_cast<std::ptrdiff_t>(first),
               data.shape().end());
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, data.dtype(), std::move(shape)));
  const Shape strides = RowMajorStrides(data.shape());
  const int64_t inner = ProductOf(data.shape(), first, data.shape().size());
  const int64_t batch_size = ProductOf(data.shape(), batch, data.shape().size());
  const int64_t tuples = indices.num_elements() / depth;
  const int64_t per_batch = ProductOf(indices.shape(), batch, indices.shape().size() - 1);
  for (int64_t t = 0; t < tuples; ++t) {
    int64_t from = t / per_batch * batch_size;
    for (int64_t d = 0; d < depth; ++d) {
      const size_t axis = batch + static_cast<size_t>(d);
      ASSIGN_OR_RETURN(const int64_t at, Wrap(indices.GetInt(t * depth + d), data.shape()[axis]));
      from += at * strides[axis];
    }
    for (int64_t i = 0; i < inner; ++i) CopyElement(data, from + i, *y, t * inner + i);
  }
  return OkStatus();
}

}  // namespace

OpDef GatherOp() {
  return OpDef("Gather")
      .Input("data")
      .Input("indices")
      .Output("output")
      .DefaultAttr("axis", AttrKind::kInt, int64_t{0}, "The axis that is indexed.")
      .Doc(
          "Slices of data along the axis in the order of indices; negative indices count from the "
          "end.")
      .Infer(InferGather)
      .Reference(EvalGather)
      .Traits(kPure | kDataMovement);
}

OpDef GatherElementsOp() {
  return OpDef("GatherElements")
      .Input("data")
      .Input("indices")
      .Output("output")
      .DefaultAttr("axis", AttrKind::kInt, int64_t{0}, "The axis that is indexed.")
      .Doc(
          "For every element of indices the element of data at the same position, but at that "
          "index "
          "along the axis.")
      .Infer(InferGatherElements)
      .Reference(EvalGatherElements)
      .Traits(kPure | kDataMovement);
}

OpDef GatherNDOp() {
  return OpDef("GatherND")
      .Input("data")
      .Input("indices")
      .Output("output")
      .DefaultAttr("batch_dims", AttrKind::kInt, int64_t{0},
                   "Leading axes that data and indices share.")
      .Doc("Slices of data addressed by the tuples along the last axis of indices.")
      .Infer(InferGatherND)
      .Reference(EvalGatherND)
      .Traits(kPure | kDataMovement);
}

}  // namespace cairn
