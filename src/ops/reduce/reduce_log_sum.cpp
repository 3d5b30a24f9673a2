// SPDX-License-Identifier: Apache-2.0
// ReduceLogSum, ReduceLogSumExp: logarithms of sums.
#include <cmath>
#include <limits>

#include "ops/reduce/reduction.h"

namespace cairn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Status EvalReduceLogSum(EvalContext& in) {
  return EvalReduce(
      in, 0, []<class T>(T sum, T x) { return AddWrapping(sum, x); },
      []<class T>(T sum, int64_t) { return std::log(static_cast<double>(sum)); });
}

/// log(sum(exp(x))) = top + log(sum(exp(x - top))), which does not overflow.
Status EvalReduceLogSumExp(EvalContext& in) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(const ReducePlan plan, PlanReduce(in));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), plan.output_shape));
  std::vector<double> tops(static_cast<size_t>(plan.results), -kInfinity);
  ForEachReduced(x.shape(), plan, [&](int64_t i, int64_t out) {
    double& top = tops[static_cast<size_t>(out)];
    top = std::max(top, x.GetDouble(i));
  });
  std::vector<double> sums(tops.size(), 0.0);
  ForEachReduced(x.shape(), plan, [&](int64_t i, int64_t out) {
    const double value = x.GetDouble(i), top = tops[static_cast<size_t>(out)];
    sums[static_cast<size_t>(out)] += std::isinf(top) && value == top ? 1.0 : std::exp(value - top);
  });
  for (size_t i = 0; i < sums.size(); ++i) {
    // An infinite maximum is the result, unless a NaN takes part.
    y->SetDouble(static_cast<int64_t>(i), tops[i] + std::log(sums[i]));
  }
  return OkStatus();
}

}  // namespace

OpDef ReduceLogSumOp() {
  return ReduceDef("ReduceLogSum", "Logarithm of the sum of the elements; -inf for none.")
      .Reference(EvalReduceLogSum);
}

OpDef ReduceLogSumExpOp() {
  return ReduceDef("ReduceLogSumExp",
                   "Logarithm of the sum of the exponentials of the elements; -inf for none.")
      .Reference(EvalReduceLogSumExp);
}

}  // namespace cairn
