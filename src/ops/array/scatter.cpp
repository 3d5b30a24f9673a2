// SPDX-License-Identifier: Apache-2.0
// ScatterElements, ScatterND: a copy of data with updates written by index.
#include <cmath>

#include "ops/elementwise.h"

namespace cairn {
namespace {

Result<int64_t> Wrap(int64_t index, int64_t size) {
  if (index < -size || index >= size) {
    return Status(Code::kInvalidArgument,
                  StrCat("index ", index, " is out of range for size ", size));
  }
  return index < 0 ? index + size : index;
}

Status InferScatter(InferContext& in) {
  RETURN_IF_ERROR(RequireIndexType(in, 1));
  RETURN_IF_ERROR(RequireSameDtype(in, 0, 2));
  const std::string reduction = in.node().GetString("reduction", "none");
  for (const char* known : {"none", "add", "mul", "max", "min"}) {
    if (reduction != known) continue;
    const ElementType dtype = in.type(0).dtype;
    if (reduction != "none" && dtype != ElementType::kUndefined && !IsNumeric(dtype)) break;
    if (in.node().op() == "ScatterElements" && in.dims(0)) {
      RETURN_IF_ERROR(NormalizeAxis(in.node().GetInt("axis", 0), in.type(0).rank()).status());
      RETURN_IF_ERROR(RequireRank(in, 1, in.type(0).rank()));
    }
    in.SetOutput(0, in.type(0));
    return OkStatus();
  }
  return Status(Code::kInvalidModel,
                StrCat("reduction '", reduction, "' of ", in.type(0).ToString(),
                       " is not possible; expected none, add, mul, max or min"));
}

/// Writes update `from` to element `to` of y, combined as `reduction` says.
void Combine(const std::string& reduction, const Tensor& updates, int64_t from, Tensor& y,
             int64_t to) {
  if (reduction == "none") {
    CopyElement(updates, from, y, to);
    return;
  }
  auto apply = [&]<class T>(T) {
    const T a = GetAs<T>(y, to), b = GetAs<T>(updates, from);
    T result = a;
    if (reduction == "add") result = AddWrapping(a, b);
    if (reduction == "mul") result = MultiplyWrapping(a, b);
    if (reduction == "max") result = a > b ? a : b;
    if (reduction == "min") result = a < b ? a : b;
    if constexpr (std::is_same_v<T, double>) {
      if (std::isnan(a) || std::isnan(b)) result = std::nan("");
    }
    SetAs<T>(y, to, result);
    return OkStatus();
  };
  CAIRN_CHECK(DispatchArithmetic(y.dtype(), apply).ok(), "combining two elements cannot fail");
}

Result<Tensor*> CopyOfData(EvalContext& in) {
  const Tensor& data = in.input(0);
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, data.dtype(), data.shape()));
  for (int64_t i = 0; i < data.num_elements(); ++i) CopyElement(data, i, *y, i);
  return y;
}

Status EvalScatterElements(EvalContext& in) {
  const Tensor &data = in.input(0), &indices = in.input(1), &updates = in.input(2);
  ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(in.node().GetInt("axis", 0), data.rank()));
  if (indices.shape() != updates.shape() || indices.rank() != data.rank()) {
    return Status(Code::kInvalidArgument, "shapes of indices and updates differ");
  }
  const std::string reduction = in.node().GetString("reduction", "none");
  ASSIGN_OR_RETURN(Tensor * y, CopyOfData(in));
  const Shape strides = RowMajorStrides(data.shape());
  Shape index(indices.shape().size(), 0);
  for (int64_t i = 0; i < indices.num_elements(); ++i, NextIndex(indices.shape(), index)) {
    int64_t to = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      const int64_t at = static_cast<int64_t>(d) == axis ? indices.GetInt(i) : index[d];
      ASSIGN_OR_RETURN(const int64_t wrapped, Wrap(at, data.shape()[d]));
      to += wrapped * strides[d];
    }
    Combine(reduction, updates, i, *y, to);
  }
  return OkStatus();
}

Status EvalScatterND(EvalContext& in) {
  const Tensor &data = in.input(0), &indices = in.input(1), &updates = in.input(2);
  if (indices.rank() < 1 || indices.shape().back() > data.rank()) {
    return Status(Code::kInvalidArgument, "indices do not address data");
  }
  const int64_t depth = indices.shape().back();
  const int64_t inner = ProductOf(data.shape(), static_cast<size_t>(depth), data.shape().size());
  const int64_t tuples = ProductOf(indices.shape(), 0, indices.shape().size() - 1);
  if (updates.num_elements() != tuples * inner) {
    return Status(Code::kInvalidArgument,
                  StrCat("updates ", ShapeToString(updates.shape()), " do not fit"));
  }
  const std::string reduction = in.node().GetString("reduction", "none");
  ASSIGN_OR_RETURN(Tensor * y, CopyOfData(in));
  const Shape strides = RowMajorStrides(data.shape());
  for (int64_t t = 0; t < tuples; ++t) {
    int64_t to = 0;
    for (int64_t d = 0; d < depth; ++d) {
      ASSIGN_OR_RETURN(const int64_t at,
                       Wrap(indices.GetInt(t * depth + d), data.shape()[static_cast<size_t>(d)]));
      to += at * strides[static_cast<size_t>(d)];
    }
    for (int64_t i = 0; i < inner; ++i) Combine(reduction, updates, t * inner + i, *y, to + i);
  }
  return OkStatus();
}

OpDef Scatter(const char* name, const char* doc, EvalFn eval) {
  return OpDef(name)
      .Input("data")
      .Input("indices")
      .Input("updates")
      .Output("output")
      .DefaultAttr("reduction", AttrKind::kString, std::string("none"),
                   "none: the update replaces; add, mul, max, min: it is combined, in index order.")
      .Doc(doc)
      .Infer(InferScatter)
      .Reference(eval)
      .Traits(kPure | kAnyDtype);
}

}  // namespace

OpDef ScatterElementsOp() {
  return Scatter("ScatterElements",
                 "A copy of data in which every update goes to its own position, but at the given "
                 "index "
                 "along the axis.",
                 EvalScatterElements)
      .DefaultAttr("axis", AttrKind::kInt, int64_t{0}, "The axis that is indexed.");
}

OpDef ScatterNDOp() {
  return Scatter(
      "ScatterND",
      "A copy of data in which slices addressed by the tuples along the last axis of indices "
      "are replaced by updates.",
      EvalScatterND);
}

}  // namespace cairn
