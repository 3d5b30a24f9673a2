// SPDX-License-Identifier: Apache-2.0
// Max, Min, Sum, Mean over any number of broadcast inputs.
#include <cmath>

#include "ops/elementwise.h"

namespace cairn {
namespace {

template <class T>
T MaxAny(T a, T b) {
  // onnx:Max NaN propagates.
  if constexpr (std::is_same_v<T, double>) {
    if (std::isnan(a) || std::isnan(b)) return std::nan("");
  }
  return a > b ? a : b;
}

template <class T>
T MinAny(T a, T b) {
  if constexpr (std::is_same_v<T, double>) {
    if (std::isnan(a) || std::isnan(b)) return std::nan("");
  }
  return a < b ? a : b;
}

/// Folds all inputs from the left in the arithmetic type, then stores finish(result).
template <class F, class Finish>
Status EvalFold(EvalContext& in, const F& f, const Finish& finish) {
  ASSIGN_OR_RETURN(const Shape shape, BroadcastInputShapes(in));
  const ElementType dtype = in.input(0).dtype();
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, dtype, shape));
  return DispatchArithmetic(dtype, [&]<class T>(T) {
    std::vector<T> result(static_cast<size_t>(y->num_elements()));
    for (size_t k = 0; k < in.num_inputs(); ++k) {
      const Tensor& x = in.input(k);
      ForEachPair(x.shape(), x.shape(), shape, [&](int64_t i, int64_t p, int64_t) {
        T& slot = result[static_cast<size_t>(i)];
        slot = k == 0 ? GetAs<T>(x, p) : f(slot, GetAs<T>(x, p));
      });
    }
    for (size_t i = 0; i < result.size(); ++i) {
      SetAs<T>(*y, static_cast<int64_t>(i), finish(result[i]));
    }
    return OkStatus();
  });
}

constexpr auto kAsIs = [](auto x) { return x; };

Status EvalMax(EvalContext& in) {
  return EvalFold(
      in, []<class T>(T a, T b) { return MaxAny(a, b); }, kAsIs);
}
Status EvalMin(EvalContext& in) {
  return EvalFold(
      in, []<class T>(T a, T b) { return MinAny(a, b); }, kAsIs);
}
Status EvalSum(EvalContext& in) {
  return EvalFold(
      in, []<class T>(T a, T b) { return AddWrapping(a, b); }, kAsIs);
}
Status EvalMean(EvalContext& in) {
  const size_t count = in.num_inputs();
  return EvalFold(
      in, []<class T>(T a, T b) { return AddWrapping(a, b); },
      [count]<class T>(T sum) { return static_cast<T>(sum / static_cast<T>(count)); });
}

template <ElementFn Symbolic>
Status InferFold(InferContext& in) {
  if (in.num_inputs() == 0)
    return Status(Code::kInvalidModel, "has no inputs, expected at least 1");
  RETURN_IF_ERROR(InferBroadcast(in));
  if constexpr (Symbolic != nullptr) PropagateElements(in, Symbolic);
  return OkStatus();
}

std::optional<Dim> MaxDims(const std::vector<Dim>& x) {
  Dim result = x[0];
  for (const Dim& dim : x) {
    if (!IsCertain(dim)) return std::nullopt;
    result = Dim::Max(result, dim);
  }
  return result;
}
std::optional<Dim> MinDims(const std::vector<Dim>& x) {
  Dim result = x[0];
  for (const Dim& dim : x) {
    if (!IsCertain(dim)) return std::nullopt;
    result = Dim::Min(result, dim);
  }
  return result;
}
std::optional<Dim> SumDims(const std::vector<Dim>& x) {
  Dim result(0);
  for (const Dim& dim : x) result = result + dim;
  return result;
}

OpDef Fold(const char* name, const char* doc, InferFn infer, EvalFn eval) {
  return OpDef(name)
      .VariadicInput("data_0")
      .Output("result")
      .Doc(doc)
      .Infer(infer)
      .Reference(eval)
      .Traits(kPure | kElementwise | kCommutative);
}

}  // namespace

OpDef MaxOp() {
  return Fold("Max", "The largest of all inputs, element by element, broadcast. NaN wins.",
              InferFold<MaxDims>, EvalMax);
}

OpDef MinOp() {
  return Fold("Min", "The smallest of all inputs, element by element, broadcast. NaN wins.",
              InferFold<MinDims>, EvalMin);
}

OpDef SumOp() {
  return Fold("Sum", "The sum of all inputs, element by element, broadcast.", InferFold<SumDims>,
              EvalSum);
}

OpDef MeanOp() {
  return Fold("Mean", "The arithmetic mean of all inputs, element by element, broadcast.",
              InferFold<nullptr>, EvalMean);
}

}  // namespace cairn
