// SPDX-License-Identifier: Apache-2.0
// What the Reduce operators share: axes, types, and the loop over the elements of each result.
#pragma once

#include <vector>

#include "ops/elementwise.h"

namespace cairn {

/// Output 0: dtype of input 0; axes of input 1 (attributes `keepdims`, `noop_with_empty_axes`)
/// become 1 or vanish.
Status InferReduce(InferContext& in);
/// As above; input 0 must be a float.
Status InferFloatReduce(InferContext& in);

/// The definition of an operator `name` without semantics: inputs, attributes, documentation.
OpDef ReduceDef(const char* name, const char* doc);

/// A reduction over concrete axes.
struct ReducePlan {
  Shape output_shape;
  /// For each input axis, the distance in the output of neighbours along it; 0 for reduced axes.
  Shape output_strides;
  int64_t count = 1;  ///< Elements that make one result.
  int64_t results = 1;
};
Result<ReducePlan> PlanReduce(const EvalContext& in);

/// Calls `visit(input index, output index)` for all elements of `shape` in row-major order.
template <class Visit>
void ForEachReduced(const Shape& shape, const ReducePlan& plan, const Visit& visit) {
  const int64_t total = ProductOf(shape, 0, shape.size());
  if (total == 0) return;
  // The last axis runs in a loop of its own: index arithmetic once a row.
  const int64_t row = shape.empty() ? 1 : shape.back();
  const int64_t step = shape.empty() ? 0 : plan.output_strides.back();
  const Shape outer(shape.begin(), shape.empty() ? shape.end() : shape.end() - 1);
  Shape index(outer.size(), 0);
  for (int64_t i = 0; i < total; i += row) {
    int64_t out = 0;
    for (size_t d = 0; d < outer.size(); ++d) out += index[d] * plan.output_strides[d];
    for (int64_t k = 0; k < row; ++k) visit(i + k, out + k * step);
    NextIndex(outer, index);
  }
}

/// Reduces input 0. `initial`, `step(sum, x)` and `finish(sum, count)` are functions over double,
/// int64_t and uint64_t (integers are exact); the result is rounded once.
template <class Step, class Finish>
Status EvalReduce(EvalContext& in, double initial, const Step& step, const Finish& finish) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(const ReducePlan plan, PlanReduce(in));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), plan.output_shape));
  return DispatchArithmetic(x.dtype(), [&]<class T>(T) {
    std::vector<T> sums(static_cast<size_t>(plan.results), static_cast<T>(initial));
    ForEachReduced(x.shape(), plan, [&](int64_t i, int64_t out) {
      T& sum = sums[static_cast<size_t>(out)];
      sum = step(sum, GetAs<T>(x, i));
    });
    for (int64_t i = 0; i < plan.results; ++i) {
      const auto result = finish(sums[static_cast<size_t>(i)], plan.count);
      SetAs<std::remove_const_t<decltype(result)>>(*y, i, result);
    }
    return OkStatus();
  });
}

/// `finish` of reductions whose sum is the result.
inline constexpr auto kSumItself = []<class T>(T sum, int64_t) { return sum; };

}  // namespace cairn
