// SPDX-License-Identifier: Apache-2.0
// ReduceSum, ReduceMean, ReduceSumSquare, ReduceL1, ReduceL2: sums of elements, squares,
// magnitudes.
#include <cmath>
#include <limits>

#include "ops/reduce/reduction.h"

namespace cairn {
namespace {

constexpr auto kAdd = []<class T>(T sum, T x) { return AddWrapping(sum, x); };

constexpr auto kAddSquare = []<class T>(T sum, T x) {
  if constexpr (std::is_same_v<T, double>) {
    return sum + x * x;
  } else {
    return AddWrapping(sum, static_cast<T>(static_cast<uint64_t>(x) * static_cast<uint64_t>(x)));
  }
};

constexpr auto kAddMagnitude = []<class T>(T sum, T x) {
  if constexpr (std::is_same_v<T, double>) {
    return sum + std::fabs(x);
  } else if constexpr (std::is_signed_v<T>) {
    return AddWrapping(sum, x < 0 ? static_cast<T>(0 - static_cast<uint64_t>(x)) : x);
  } else {
    return AddWrapping(sum, x);
  }
};

/// The mean of no elements is NaN; of integers 0. Integer means truncate.
constexpr auto kDivideByCount = []<class T>(T sum, int64_t count) {
  if constexpr (std::is_same_v<T, double>) {
    return sum / static_cast<double>(count);
  } else {
    return count == 0 ? T{0} : static_cast<T>(sum / static_cast<T>(count));
  }
};

constexpr auto kRoot = []<class T>(T sum, int64_t) { return std::sqrt(static_cast<double>(sum)); };

}  // namespace

OpDef ReduceSumOp() {
  return ReduceDef("ReduceSum", "Sum of the elements; 0 for none.").Reference([](EvalContext& in) {
    return EvalReduce(in, 0, kAdd, kSumItself);
  });
}

OpDef ReduceMeanOp() {
  return ReduceDef("ReduceMean", "Mean of the elements; integers truncate.")
      .Reference([](EvalContext& in) { return EvalReduce(in, 0, kAdd, kDivideByCount); });
}

OpDef ReduceSumSquareOp() {
  return ReduceDef("ReduceSumSquare", "Sum of the squares of the elements; 0 for none.")
      .Reference([](EvalContext& in) { return EvalReduce(in, 0, kAddSquare, kSumItself); });
}

OpDef ReduceL1Op() {
  return ReduceDef("ReduceL1", "Sum of the magnitudes of the elements; 0 for none.")
      .Reference([](EvalContext& in) { return EvalReduce(in, 0, kAddMagnitude, kSumItself); });
}

OpDef ReduceL2Op() {
  return ReduceDef("ReduceL2", "Root of the sum of the squares of the elements; 0 for none.")
      .Reference([](EvalContext& in) { return EvalReduce(in, 0, kAddSquare, kRoot); });
}

}  // namespace cairn
