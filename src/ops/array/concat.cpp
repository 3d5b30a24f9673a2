// SPDX-License-Identifier: Apache-2.0
// Concat, Split: joining and cutting along an axis.
#include <algorithm>

#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

/// Elements of a concatenation of vectors; those of unknown inputs are unknown elements.
void JoinElements(InferContext& in) {
  Dims all;
  bool any = false;
  for (size_t i = 0; i < in.num_inputs(); ++i) {
    if (auto elements = in.Elements(i)) {
      any = true;
      all.insert(all.end(), elements->begin(), elements->end());
    } else {
      const Dim& count = (*in.dims(i))[0];
      if (!count.is_const() || count.value() > 64) return;
      for (int64_t k = 0; k < count.value(); ++k)
        all.push_back(UnknownElement(in.NewSymbol().ToString()));
    }
  }
  if (any) in.SetElements(0, std::move(all));
}

Status InferConcat(InferContext& in) {
  if (in.num_inputs() == 0)
    return Status(Code::kInvalidModel, "has no inputs, expected at least 1");
  const ElementType dtype = in.type(0).dtype;
  for (size_t i = 0; i < in.num_inputs(); ++i) {
    RETURN_IF_ERROR(RequireSameDtype(in, 0, i));
    if (!in.dims(i)) {
      in.SetOutput(0, TensorType(dtype));
      return OkStatus();
    }
  }
  Dims dims = *in.dims(0);
  ASSIGN_OR_RETURN(const int64_t axis,
                   NormalizeAxis(in.node().GetInt("axis", 0), static_cast<int64_t>(dims.size())));
  const auto a = static_cast<size_t>(axis);
  for (size_t i = 1; i < in.num_inputs(); ++i) {
    const Dims& other = *in.dims(i);
    bool fits = other.size() == dims.size();
    for (size_t d = 0; fits && d < dims.size(); ++d) {
      if (d == a) {
        dims[d] = dims[d] + other[d];
      } else if (!dims[d].is_const()) {
        dims[d] = other[d].is_const() ? other[d] : dims[d];
      } else {
        fits = !other[d].is_const() || other[d] == dims[d];
      }
    }
    if (!fits) {
      return Status(Code::kInvalidModel,
                    StrCat("inputs 0 ", in.type(0).ToString(), " and ", i, " ",
                           in.type(i).ToString(), " do not concatenate at axis ", axis));
    }
  }
  in.mutable_node().Set("axis", axis);
  in.SetOutput(0, TensorType(dtype, dims));
  if (dims.size() == 1 && (IsInteger(dtype) || dtype == ElementType::kBool)) JoinElements(in);
  return OkStatus();
}

/// Copies [first, first + count) along `axis` of one tensor to `to` on of the other.
void CopyRange(const Tensor& src, int64_t from, Tensor& dst, int64_t to, int64_t count,
               size_t axis) {
  const int64_t inner = ProductOf(src.shape(), axis + 1, src.shape().size());
  const int64_t outer = ProductOf(src.shape(), 0, axis);
  const int64_t src_size = src.shape()[axis] * inner, dst_size = dst.shape()[axis] * inner;
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < count * inner; ++i) {
      CopyElement(src, o * src_size + from * inner + i, dst, o * dst_size + to * inner + i);
    }
  }
}

Status EvalConcat(EvalContext& in) {
  Shape shape = in.input(0).shape();
  ASSIGN_OR_RETURN(const int64_t axis,
                   NormalizeAxis(in.node().GetInt("axis", 0), in.input(0).rank()));
  const auto a = static_cast<size_t>(axis);
  for (size_t i = 1; i < in.num_inputs(); ++i) {
    Shape other = in.input(i).shape();
    if (other.size() != shape.size())
      return Status(Code::kInvalidArgument, "ranks of the inputs differ");
    shape[a] += other[a];
    other[a] = shape[a];
    if (other != shape)
      return Status(Code::kInvalidArgument, "shapes of the inputs differ off the axis");
  }
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, in.input(0).dtype(), shape));
  int64_t at = 0;
  for (const Tensor& x : in.inputs()) {
    CopyRange(x, 0, *y, at, x.shape()[a], a);
    at += x.shape()[a];
  }
  return OkStatus();
}

/// Sizes of `count` equal parts; the last one is smaller when they do not divide.
std::vector<Dim> EqualParts(const Dim& size, size_t count) {
  const Dim part = Dim::CeilDiv(size, Dim(static_cast<int64_t>(count)));
  std::vector<Dim> parts(count, part);
  parts.back() = size - part * Dim(static_cast<int64_t>(count) - 1);
  return parts;
}

Status InferSplit(InferContext& in) {
  const ElementType dtype = in.type(0).dtype;
  const size_t count = in.node().outputs().size();
  const int64_t wanted = in.node().GetInt("num_outputs", static_cast<int64_t>(count));
  if (wanted != static_cast<int64_t>(count) && !in.has_input(1)) {
    return Status(Code::kInvalidModel, StrCat("num_outputs is ", wanted, ", the node has ", count));
  }
  if (!in.dims(0)) {
    for (size_t i = 0; i < count; ++i) in.SetOutput(i, TensorType(dtype));
    return OkStatus();
  }
  Dims dims = *in.dims(0);
  ASSIGN_OR_RETURN(const int64_t axis,
                   NormalizeAxis(in.node().GetInt("axis", 0), static_cast<int64_t>(dims.size())));
  const Dim size = dims[static_cast<size_t>(axis)];
  std::vector<Dim> parts = EqualParts(size, count);
  if (in.has_input(1)) {
    const auto given = in.Elements(1);
    if (given && given->size() != count) {
      return Status(Code::kInvalidModel,
                    StrCat("split ", DimsToString(*given), " has ", given->size(),
                           " values, the node ", count, " outputs"));
    }
    for (size_t i = 0; i < count; ++i) {
      parts[i] = given && IsCertain((*given)[i]) ? (*given)[i] : in.NewSymbol();
    }
    const auto constant = ConstDims(parts);
    Dim sum(0);
    for (const Dim& part : parts) sum = sum + part;
    if (constant && size.is_const() && !(sum == size)) {
      return Status(Code::kInvalidModel, StrCat("split ", DimsToString(parts), " sums to ", sum,
                                                ", axis ", axis, " has ", size));
    }
  }
  const auto elements = dims.size() == 1 ? in.Elements(0) : std::nullopt;
  int64_t at = 0;
  for (size_t i = 0; i < count; ++i) {
    if (parts[i].is_const() && parts[i].value() < 0) {
      return Status(Code::kInvalidModel, StrCat("axis ", axis, " of ", in.type(0).ToString(),
                                                " does not split into ", count, " parts"));
    }
    dims[static_cast<size_t>(axis)] = parts[i];
    in.SetOutput(i, TensorType(dtype, dims));
    const auto left = static_cast<int64_t>(elements ? elements->size() : 0) - at;
    if (!elements || !parts[i].is_const() || at < 0 || parts[i].value() > left) {
      at = -1;
      continue;
    }
    in.SetElements(i, Dims(elements->begin() + at, elements->begin() + at + parts[i].value()));
    at += parts[i].value();
  }
  in.mutable_node().Set("axis", axis);
  return OkStatus();
}

Status EvalSplit(EvalContext& in) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(in.node().GetInt("axis", 0), x.rank()));
  const auto a = static_cast<size_t>(axis);
  std::vector<int64_t> parts;
  if (in.has_input(1)) {
    parts = ToInts(in.input(1));
  } else {
    for (const Dim& part : EqualParts(Dim(x.shape()[a]), in.num_outputs()))
      parts.push_back(part.value());
  }
  int64_t sum = 0;
  for (const int64_t part : parts) sum += part < 0 ? INT32_MAX : part;
  if (parts.size() != in.num_outputs() || sum != x.shape()[a]) {
    return Status(Code::kInvalidArgument,
                  StrCat("parts ", ShapeToString(parts), " do not fit axis ", axis, " of ",
                         ShapeToString(x.shape())));
  }
  int64_t at = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    Shape shape = x.shape();
    shape[a] = parts[i];
    ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(i, x.dtype(), std::move(shape)));
    CopyRange(x, at, *y, 0, parts[i], a);
    at += parts[i];
  }
  return OkStatus();
}

}  // namespace

OpDef ConcatOp() {
  return OpDef("Concat")
      .VariadicInput("inputs")
      .Output("concat_result")
      .Attr("axis", AttrKind::kInt, "The axis along which inputs follow each other.")
      .Doc("Joins tensors that differ at most along the axis.")
      .Infer(InferConcat)
      .Reference(EvalConcat)
      .Traits(kPure | kDataMovement);
}

OpDef SplitOp() {
  return OpDef("Split")
      .Input("input")
      .OptionalInput("split")
      .VariadicOutput("outputs")
      .DefaultAttr("axis", AttrKind::kInt, int64_t{0}, "The axis that is cut.")
      .OptionalAttr("num_outputs", AttrKind::kInt, "Number of equal parts.")
      .Doc(
          "Cuts a tensor along the axis into parts of the sizes in split, or into equal parts, the "
          "last "
          "of which is smaller when they do not divide.")
      .Infer(InferSplit)
      .Reference(EvalSplit)
      .Traits(kPure | kDataMovement);
}

}  // namespace cairn
