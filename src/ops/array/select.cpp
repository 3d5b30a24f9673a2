// SPDX-License-Identifier: Apache-2.0
// Trilu, NonZero, Compress, ReverseSequence: selecting by position or content.
#include <cmath>

#include "ops/elementwise.h"

namespace cairn {
namespace {

Status InferTrilu(InferContext& in) {
  if (in.dims(0) && in.dims(0)->size() < 2) {
    return Status(Code::kInvalidModel,
                  StrCat("input is ", in.type(0).ToString(), ", expected rank 2 or more"));
  }
  return InferSameAsFirst(in);
}

Status EvalTrilu(EvalContext& in) {
  const Tensor& x = in.input(0);
  const bool upper = in.node().GetInt("upper", 1) != 0;
  const int64_t k = in.has_input(1) ? in.input(1).GetInt(0) : 0;
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), x.shape()));
  const int64_t cols = x.shape().back(), rows = x.shape()[x.shape().size() - 2];
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    const int64_t offset = i % cols - i / cols % rows;
    if (upper ? offset >= k : offset <= k) CopyElement(x, i, *y, i);
  }
  return OkStatus();
}

Status InferNonZero(InferContext& in) {
  const Dim rank = in.dims(0) ? Dim(in.type(0).rank()) : in.NewSymbol();
  in.SetOutput(0, TensorType(ElementType::kI64, {rank, in.NewSymbol()}));
  return OkStatus();
}

bool IsNonZero(const Tensor& x, int64_t i) {
  return IsFloat(x.dtype()) ? x.GetDouble(i) != 0 : x.GetInt(i) != 0;
}

Status EvalNonZero(EvalContext& in) {
  const Tensor& x = in.input(0);
  std::vector<int64_t> found;
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    if (IsNonZero(x, i)) found.push_back(i);
  }
  const auto count = static_cast<int64_t>(found.size());
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, ElementType::kI64, {x.rank(), count}));
  const Shape strides = RowMajorStrides(x.shape());
  for (int64_t d = 0; d < x.rank(); ++d) {
    const auto axis = static_cast<size_t>(d);
    for (int64_t i = 0; i < count; ++i) {
      y->SetInt(d * count + i, found[static_cast<size_t>(i)] / strides[axis] % x.shape()[axis]);
    }
  }
  return OkStatus();
}

Status InferCompress(InferContext& in) {
  RETURN_IF_ERROR(RequireBool(in, 1));
  const ElementType dtype = in.type(0).dtype;
  if (!in.node().HasAttribute("axis")) {
    in.SetOutput(0, TensorType(dtype, {in.NewSymbol()}));
  } else if (!in.dims(0)) {
    in.SetOutput(0, TensorType(dtype));
  } else {
    Dims dims = *in.dims(0);
    ASSIGN_OR_RETURN(const int64_t axis,
                     NormalizeAxis(in.node().GetInt("axis", 0), in.type(0).rank()));
    dims[static_cast<size_t>(axis)] = in.NewSymbol();
    in.SetOutput(0, TensorType(dtype, std::move(dims)));
  }
  return OkStatus();
}

Status EvalCompress(EvalContext& in) {
  Tensor x = in.input(0);
  const Tensor& condition = in.input(1);
  size_t axis = 0;
  if (in.node().HasAttribute("axis")) {
    ASSIGN_OR_RETURN(const int64_t normal, NormalizeAxis(in.node().GetInt("axis", 0), x.rank()));
    axis = static_cast<size_t>(normal);
  } else {
    x = x.Reshaped({x.num_elements()});
  }
  const int64_t size = x.shape()[axis];
  std::vector<int64_t> kept;
  for (int64_t i = 0; i < condition.num_elements(); ++i) {
    if (condition.GetInt(i) == 0) continue;
    if (i >= size) return Status(Code::kInvalidArgument, "the condition is longer than the axis");
    kept.push_back(i);
  }
  Shape shape = x.shape();
  shape[axis] = static_cast<int64_t>(kept.size());
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), shape));
  const int64_t inner = ProductOf(x.shape(), axis + 1, x.shape().size());
  for (int64_t i = 0; i < y->num_elements(); ++i) {
    const int64_t k = i / inner % shape[axis], outer = i / inner / shape[axis];
    CopyElement(x, (outer * size + kept[static_cast<size_t>(k)]) * inner + i % inner, *y, i);
  }
  return OkStatus();
}

Status InferReverseSequence(InferContext& in) {
  const int64_t batch = in.node().GetInt("batch_axis", 1), time = in.node().GetInt("time_axis", 0);
  if (batch == time || batch < 0 || batch > 1 || time < 0 || time > 1) {
    return Status(Code::kInvalidModel, "batch_axis and time_axis must be 0 and 1 or 1 and 0");
  }
  if (in.dims(0) && in.dims(0)->size() < 2) {
    return Status(Code::kInvalidModel,
                  StrCat("input is ", in.type(0).ToString(), ", expected rank 2 or more"));
  }
  return InferSameAsFirst(in);
}

Status EvalReverseSequence(EvalContext& in) {
  const Tensor &x = in.input(0), &lengths = in.input(1);
  const bool time_first = in.node().GetInt("time_axis", 0) == 0;
  const int64_t rows = x.shape()[0], cols = x.shape()[1];
  const int64_t inner = ProductOf(x.shape(), 2, x.shape().size());
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), x.shape()));
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    const int64_t col = i / inner % cols, row = i / inner / cols;
    const int64_t time = time_first ? row : col, batch = time_first ? col : row;
    if (batch >= lengths.num_elements())
      return Status(Code::kInvalidArgument, "too few sequence lengths");
    const int64_t length = lengths.GetInt(batch);
    if (length > (time_first ? rows : cols))
      return Status(Code::kInvalidArgument, "a sequence is too long");
    const int64_t from = time < length ? length - 1 - time : time;
    const int64_t r = time_first ? from : batch, c = time_first ? batch : from;
    CopyElement(x, (r * cols + c) * inner + i % inner, *y, i);
  }
  return OkStatus();
}

}  // namespace

OpDef TriluOp() {
  return OpDef("Trilu")
      .Input("input")
      .OptionalInput("k")
      .Output("output")
      .DefaultAttr("upper", AttrKind::kInt, int64_t{1},
                   "1: the upper triangle is kept, 0: the lower.")
      .Doc("The triangle of each matrix above or below diagonal k, zeros elsewhere.")
      .Infer(InferTrilu)
      .Reference(EvalTrilu)
      .Traits(kPure | kAnyDtype);
}

OpDef NonZeroOp() {
  return OpDef("NonZero")
      .Input("X")
      .Output("Y")
      .Doc("Indices of the elements that are not 0, one row per axis, in row-major order.")
      .Infer(InferNonZero)
      .Reference(EvalNonZero);
}

OpDef CompressOp() {
  return OpDef("Compress")
      .Input("input")
      .Input("condition")
      .Output("output")
      .OptionalAttr("axis", AttrKind::kInt,
                    "The axis that is selected along; flattened by default.")
      .Doc("The slices along the axis for which the condition holds.")
      .Infer(InferCompress)
      .Reference(EvalCompress)
      .Traits(kPure | kDataMovement);
}

OpDef ReverseSequenceOp() {
  return OpDef("ReverseSequence")
      .Input("input")
      .Input("sequence_lens")
      .Output("Y")
      .DefaultAttr("batch_axis", AttrKind::kInt, int64_t{1}, "Axis of the batch, 0 or 1.")
      .DefaultAttr("time_axis", AttrKind::kInt, int64_t{0}, "Axis of time, 1 or 0.")
      .Doc("Reverses the first sequence_lens[b] steps of every batch entry.")
      .Infer(InferReverseSequence)
      .Reference(EvalReverseSequence)
      .Traits(kPure | kDataMovement);
}

}  // namespace cairn
