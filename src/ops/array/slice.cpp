// SPDX-License-Identifier: Apache-2.0
// Slice: ranges with steps along any axes.
#include <algorithm>

#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

/// A concrete range along an axis: `count` elements from `start` in steps.
struct Range {
  int64_t start = 0, step = 1, count = 0;
};

// onnx:Slice clamping of starts and ends depends on the sign of the step.
Range Resolve(int64_t start, int64_t end, int64_t step, int64_t size) {
  auto wrap = [size](int64_t at) { return at < 0 ? (at < -size ? INT64_MIN : at + size) : at; };
  if (step > 0) {
    start = std::clamp<int64_t>(wrap(start), 0, size);
    end = std::clamp<int64_t>(wrap(end), 0, size);
    return {start, step, end > start ? (end - start - 1) / step + 1 : 0};
  }
  start = std::clamp<int64_t>(wrap(start), -1, size - 1);
  end = std::clamp<int64_t>(wrap(end), -1, size - 1);
  if (start <= end) return {start, step, 0};
  return {start, step, step == INT64_MIN ? 1 : (start - end - 1) / -step + 1};
}

/// A start or end for a positive step, clamped to [0, size]; nullopt when its sign is unknown.
std::optional<Dim> Clamp(const Dim& at, const Dim& size) {
  if (!IsCertain(at)) return std::nullopt;
  if (at.is_const()) {
    if (at.value() >= INT32_MAX) return size;
    if (at.value() < 0) {
      if (at.value() <= INT32_MIN) return Dim(0);
      return Dim::Max(size + at, Dim(0));
    }
    return Dim::Min(at, size);
  }
  if (at == size) return size;
  if (Dim::Max(at, Dim(0)) == at) return Dim::Min(at, size);
  return std::nullopt;
}

Dim SymbolicCount(InferContext& in, const Dim& start, const Dim& end, int64_t step,
                  const Dim& size) {
  if (step == -1 && start == Dim(-1) && end.is_const() && end.value() <= INT32_MIN) return size;
  if (step <= 0) return in.NewSymbol();
  const auto first = Clamp(start, size), last = Clamp(end, size);
  if (!first || !last) return in.NewSymbol();
  return Dim::CeilDiv(Dim::Max(*last - *first, Dim(0)), Dim(step));
}

struct Operands {
  Dims starts, ends;
  std::vector<int64_t> axes, steps;
};

/// Reads the operands as far as inference can use them; nullopt when axes or steps are unknown.
Result<std::optional<Operands>> ReadOperands(const InferContext& in) {
  const auto starts = in.Elements(1), ends = in.Elements(2);
  if (!starts || !ends) return std::optional<Operands>();
  Operands operands{*starts, *ends, {}, std::vector<int64_t>(starts->size(), 1)};
  if (in.has_input(3)) {
    const auto axes = in.Ints(3);
    if (!axes) return std::optional<Operands>();
    operands.axes = *axes;
  } else {
    for (size_t i = 0; i < starts->size(); ++i) operands.axes.push_back(static_cast<int64_t>(i));
  }
  if (in.has_input(4)) {
    const auto steps = in.Ints(4);
    if (!steps) return std::optional<Operands>();
    operands.steps = *steps;
  }
  const size_t count = operands.starts.size();
  if (operands.ends.size() != count || operands.axes.size() != count ||
      operands.steps.size() != count) {
    return Status(Code::kInvalidModel,
                  StrCat("starts, ends, axes and steps have ", count, ", ", operands.ends.size(),
                         ", ", operands.axes.size(), " and ", operands.steps.size(), " values"));
  }
  for (const int64_t step : operands.steps) {
    if (step == 0) return Status(Code::kInvalidModel, "a step is 0");
  }
  ASSIGN_OR_RETURN(operands.axes, NormalizeAxes(operands.axes, in.type(0).rank()));
  return std::optional(std::move(operands));
}

Status InferSlice(InferContext& in) {
  const ElementType dtype = in.type(0).dtype;
  if (!in.dims(0)) {
    in.SetOutput(0, TensorType(dtype));
    return OkStatus();
  }
  Dims dims = *in.dims(0);
  ASSIGN_OR_RETURN(const auto operands, ReadOperands(in));
  if (!operands) {
    // Axes may be known even when the bounds are not.
    const auto axes = in.Ints(3);
    if (axes) {
      ASSIGN_OR_RETURN(const auto normal, NormalizeAxes(*axes, in.type(0).rank()));
      for (const int64_t axis : normal) dims[static_cast<size_t>(axis)] = in.NewSymbol();
    } else {
      for (Dim& dim : dims) dim = in.NewSymbol();
    }
    in.SetOutput(0, TensorType(dtype, std::move(dims)));
    return OkStatus();
  }
  std::optional<Range> only;
  for (size_t i = 0; i < operands->starts.size(); ++i) {
    Dim& size = dims[static_cast<size_t>(operands->axes[i])];
    const Dim &start = operands->starts[i], &end = operands->ends[i];
    if (size.is_const() && start.is_const() && end.is_const()) {
      only = Resolve(start.value(), end.value(), operands->steps[i], size.value());
      size = Dim(only->count);
    } else {
      size = SymbolicCount(in, start, end, operands->steps[i], size);
    }
  }
  in.SetOutput(0, TensorType(dtype, dims));
  const auto elements = in.Elements(0);
  if (elements && dims.size() == 1 && dims[0].is_const() && (only || operands->starts.empty())) {
    Dims kept;
    const Range range = only.value_or(Range{0, 1, dims[0].value()});
    for (int64_t i = 0; i < range.count; ++i) {
      kept.push_back((*elements)[static_cast<size_t>(range.start + i * range.step)]);
    }
    in.SetElements(0, std::move(kept));
  }
  return OkStatus();
}

Status EvalSlice(EvalContext& in) {
  const Tensor& x = in.input(0);
  const std::vector<int64_t> starts = ToInts(in.input(1)), ends = ToInts(in.input(2));
  std::vector<int64_t> axes, steps(starts.size(), 1);
  for (size_t i = 0; i < starts.size(); ++i) axes.push_back(static_cast<int64_t>(i));
  if (in.has_input(3)) axes = ToInts(in.input(3));
  if (in.has_input(4)) steps = ToInts(in.input(4));
  if (ends.size() != starts.size() || axes.size() != starts.size() ||
      steps.size() != starts.size()) {
    return Status(Code::kInvalidArgument, "starts, ends, axes and steps differ in length");
  }
  ASSIGN_OR_RETURN(axes, NormalizeAxes(axes, x.rank()));
  Shape shape = x.shape(), strides = RowMajorStrides(x.shape());
  int64_t base = 0;
  for (size_t i = 0; i < starts.size(); ++i) {
    if (steps[i] == 0) return Status(Code::kInvalidArgument, "a step is 0");
    const auto a = static_cast<size_t>(axes[i]);
    const Range range = Resolve(starts[i], ends[i], steps[i], x.shape()[a]);
    base += range.start * strides[a];
    strides[a] *= range.step;
    shape[a] = range.count;
  }
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), shape));
  Shape index(shape.size(), 0);
  for (int64_t i = 0; i < y->num_elements(); ++i, NextIndex(shape, index)) {
    int64_t from = base;
    for (size_t d = 0; d < index.size(); ++d) from += index[d] * strides[d];
    CopyElement(x, from, *y, i);
  }
  return OkStatus();
}

}  // namespace

OpDef SliceOp() {
  return OpDef("Slice")
      .Input("data")
      .Input("starts")
      .Input("ends")
      .OptionalInput("axes")
      .OptionalInput("steps")
      .Output("output")
      .Doc(
          "Elements start, start + step, ... before end along each axis; negative bounds count "
          "from "
          "the end, bounds beyond the ends are clamped, negative steps go backwards.")
      .Infer(InferSlice)
      .Reference(EvalSlice)
      .Traits(kPure | kDataMovement);
}

}  // namespace cairn
