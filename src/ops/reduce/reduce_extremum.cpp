// SPDX-License-Identifier: Apache-2.0
// ReduceMax, ReduceMin, ReduceProd.
#include <cmath>
#include <limits>

#include "ops/reduce/reduction.h"

namespace cairn {
namespace {

/// Lowest and highest value of an integer type, as its 64-bit arithmetic sees them.
template <class T>
T Bound(ElementType dtype, bool highest) {
  if constexpr (std::is_same_v<T, double>) {
    const double infinity = std::numeric_limits<double>::infinity();
    return highest ? infinity : -infinity;
  } else {
    if (dtype == ElementType::kBool) return highest ? 1 : 0;
    const int bits = ElementBits(dtype);
    if (!IsSignedInteger(dtype)) {
      return highest ? static_cast<T>(~uint64_t{0} >> (64 - bits)) : T{0};
    }
    const int64_t top = static_cast<int64_t>(~uint64_t{0} >> (65 - bits));
    return static_cast<T>(highest ? top : -top - 1);
  }
}

template <class T, bool kMax>
T Select(T best, T x) {
  if constexpr (std::is_same_v<T, double>) {
    if (std::isnan(best)) return best;
    if (std::isnan(x)) return x;
  }
  return (kMax ? x > best : x < best) ? x : best;
}

template <bool kMax>
Status EvalExtremum(EvalContext& in) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(const ReducePlan plan, PlanReduce(in));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), plan.output_shape));
  return DispatchArithmetic(x.dtype(), [&]<class T>(T) {
    std::vector<T> best(static_cast<size_t>(plan.results), Bound<T>(x.dtype(), !kMax));
    ForEachReduced(x.shape(), plan, [&](int64_t i, int64_t out) {
      T& value = best[static_cast<size_t>(out)];
      value = Select<T, kMax>(value, GetAs<T>(x, i));
    });
    for (int64_t i = 0; i < plan.results; ++i) SetAs<T>(*y, i, best[static_cast<size_t>(i)]);
    return OkStatus();
  });
}

Status EvalReduceProd(EvalContext& in) {
  return EvalReduce(
      in, 1, []<class T>(T product, T x) { return MultiplyWrapping(product, x); }, kSumItself);
}

}  // namespace

OpDef ReduceMaxOp() {
  return ReduceDef("ReduceMax",
                   "Maximum; NaN wins; the lowest value (-inf, false) for no elements.")
      .Reference(EvalExtremum<true>);
}

OpDef ReduceMinOp() {
  return ReduceDef("ReduceMin",
                   "Minimum; NaN wins; the highest value (+inf, true) for no elements.")
      .Reference(EvalExtremum<false>);
}

OpDef ReduceProdOp() {
  return ReduceDef("ReduceProd", "Product of the elements; 1 for none. Integers wrap.")
      .Reference(EvalReduceProd);
}

}  // namespace cairn
