// SPDX-License-Identifier: Apache-2.0
// SplitToSequence, ConcatFromSequence: between a tensor and the sequence of its parts.
#include <algorithm>
#include <numeric>

#include "ops/axes.h"
#include "ops/control/regions.h"
#include "ops/elements.h"
#include "ops/sequence/sequences.h"

namespace cairn {
namespace {

/// Copies the rows [begin, begin + count) of `whole` along `axis` to (or from) all rows of a part.
template <class Copy>
void ForEachOfPart(const Shape& whole, size_t axis, int64_t begin, int64_t count,
                   const Copy& copy) {
  const int64_t outer = ProductOf(whole, 0, axis);
  const int64_t inner = ProductOf(whole, axis + 1, whole.size());
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < count * inner; ++i) {
      copy(o * count * inner + i, (o * whole[axis] + begin) * inner + i);
    }
  }
}

Status InferSplitToSequence(InferContext& in) {
  TensorType type = in.type(0);
  if (in.has_input(1)) RETURN_IF_ERROR(RequireIndexType(in, 1));
  if (type.dims) {
    ASSIGN_OR_RETURN(const int64_t axis,
                     NormalizeAxis(in.node().GetInt("axis", 0), type.rank()));
    if (!in.has_input(1) && in.node().GetInt("keepdims", 1) == 0) {
      type.dims->erase(type.dims->begin() + axis);
    } else {
      (*type.dims)[static_cast<size_t>(axis)] = in.has_input(1) ? in.NewSymbol() : Dim(1);
    }
  }
  in.SetOutput(0, type.As(ValueKind::kSequence));
  return OkStatus();
}

/// Lengths of the parts of an axis of `length`.
Result<std::vector<int64_t>> PartLengths(const EvalContext& in, int64_t length) {
  if (!in.has_input(1)) return std::vector<int64_t>(static_cast<size_t>(length), 1);
  const Tensor& split = in.input(1);
  std::vector<int64_t> lengths = ToInts(split);
  if (split.rank() == 0) {
    const int64_t step = lengths[0];
    if (step <= 0) {
      return Status(Code::kInvalidArgument, StrCat("parts of length ", step, " are not possible"));
    }
    lengths.assign(static_cast<size_t>(length / step), step);
    if (length % step != 0) lengths.push_back(length % step);
    return lengths;
  }
  int64_t sum = 0;
  for (const int64_t part : lengths) {
    if (part < 0 || part > length) {
      return Status(Code::kInvalidArgument, StrCat("a part of length ", part, " is not possible"));
    }
    sum += part;
  }
  if (split.rank() != 1 || sum != length) {
    return Status(Code::kInvalidArgument,
                  StrCat("parts of lengths [", StrJoin(lengths), "] do not make up an axis of ",
                         length));
  }
  return lengths;
}

Status EvalSplitToSequence(EvalContext& in) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(in.node().GetInt("axis", 0), x.rank()));
  const auto a = static_cast<size_t>(axis);
  const bool squeeze = !in.has_input(1) && in.node().GetInt("keepdims", 1) == 0;
  ASSIGN_OR_RETURN(const std::vector<int64_t> lengths, PartLengths(in, x.shape()[a]));
  std::vector<Tensor> parts;
  int64_t begin = 0;
  for (const int64_t length : lengths) {
    Shape shape = x.shape();
    shape[a] = length;
    ASSIGN_OR_RETURN(Tensor part, Tensor::Allocate(x.dtype(), shape));
    ForEachOfPart(x.shape(), a, begin, length,
                  [&](int64_t to, int64_t from) { CopyElement(x, from, part, to); });
    if (squeeze) {
      shape.erase(shape.begin() + axis);
      part = part.Reshaped(shape);
    }
    parts.push_back(std::move(part));
    begin += length;
  }
  in.SetOutput(0, Tensor::Sequence(x.dtype(), std::move(parts)));
  return OkStatus();
}

Status InferConcatFromSequence(InferContext& in) {
  RETURN_IF_ERROR(RequireSequence(in, 0));
  TensorType type = ItemType(in, in.type(0));
  const int64_t axis = in.node().GetInt("axis", 0);
  if (in.node().GetInt("new_axis", 0) != 0) {
    ASSIGN_OR_RETURN(type, StackedType(type, axis, in.NewSymbol()));
  } else if (type.dims) {
    ASSIGN_OR_RETURN(const int64_t at, NormalizeAxis(axis, type.rank()));
    (*type.dims)[static_cast<size_t>(at)] = in.NewSymbol();
  }
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

Result<Tensor> ConcatTensors(const std::vector<Tensor>& items, int64_t axis) {
  ASSIGN_OR_RETURN(const int64_t at, NormalizeAxis(axis, items[0].rank()));
  const auto a = static_cast<size_t>(at);
  Shape shape = items[0].shape();
  shape[a] = 0;
  for (size_t k = 0; k < items.size(); ++k) {
    Shape other = items[k].shape();
    if (other.size() == shape.size()) {
      shape[a] += other[a];
      other[a] = shape[a];
    }
    if (other != shape) {
      return Status(Code::kInvalidArgument,
                    StrCat("items 0 ", items[0].TypeToString(), " and ", k, " ",
                           items[k].TypeToString(), " do not concatenate at axis ", axis));
    }
  }
  ASSIGN_OR_RETURN(Tensor whole, Tensor::Allocate(items[0].dtype(), shape));
  int64_t begin = 0;
  for (const Tensor& item : items) {
    ForEachOfPart(shape, a, begin, item.shape()[a],
                  [&](int64_t from, int64_t to) { CopyElement(item, from, whole, to); });
    begin += item.shape()[a];
  }
  return whole;
}

Status EvalConcatFromSequence(EvalContext& in) {
  const std::vector<Tensor>& items = in.input(0).items();
  if (items.empty()) return Status(Code::kInvalidArgument, "the sequence is empty");
  const int64_t axis = in.node().GetInt("axis", 0);
  const bool stacks = in.node().GetInt("new_axis", 0) != 0;
  ASSIGN_OR_RETURN(Tensor y, stacks ? StackTensors(items, axis, TensorType(items[0].dtype()))
                                    : ConcatTensors(items, axis));
  in.SetOutput(0, std::move(y));
  return OkStatus();
}

}  // namespace

OpDef SplitToSequenceOp() {
  return OpDef("SplitToSequence")
      .Input("input")
      .OptionalInput("split")
      .Output("output_sequence")
      .DefaultAttr("axis", AttrKind::kInt, int64_t{0}, "Axis to cut along.")
      .DefaultAttr("keepdims", AttrKind::kInt, int64_t{1},
                   "0: parts of length 1 lose the axis; of effect without `split` only.")
      .Doc("The parts of the input along `axis`. split: a scalar is the length of each part but the "
           "last, a list has one length for each; without it every part has length 1.")
      .Infer(InferSplitToSequence)
      .Reference(EvalSplitToSequence)
      .Traits(kPure | kAnyDtype);
}

OpDef ConcatFromSequenceOp() {
  return OpDef("ConcatFromSequence")
      .Input("input_sequence")
      .Output("concat_result")
      .Attr("axis", AttrKind::kInt, "Axis of the result to join along.")
      .DefaultAttr("new_axis", AttrKind::kInt, int64_t{0}, "1: the axis is new.")
      .Doc("The items joined along `axis`, or stacked along a new one.")
      .Infer(InferConcatFromSequence)
      .Reference(EvalConcatFromSequence)
      .Traits(kPure | kAnyDtype | kAnyKind);
}

}  // namespace cairn
