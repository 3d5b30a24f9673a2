// SPDX-License-Identifier: Apache-2.0
// CumSum: running sum along an axis.
#include "ops/elementwise.h"

namespace cairn {
namespace {

Status EvalCumSum(EvalContext& in) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(in.input(1).GetInt(0), x.rank()));
  const bool exclusive = in.node().GetInt("exclusive", 0) != 0;
  const bool reverse = in.node().GetInt("reverse", 0) != 0;
  const auto a = static_cast<size_t>(axis);
  const int64_t outer = ProductOf(x.shape(), 0, a), size = x.shape()[a];
  const int64_t inner = ProductOf(x.shape(), a + 1, x.shape().size());
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), x.shape()));
  return DispatchArithmetic(x.dtype(), [&]<class T>(T) {
    using Sum = std::conditional_t<std::is_same_v<T, double>, double, uint64_t>;
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t i = 0; i < inner; ++i) {
        Sum sum = 0;
        for (int64_t step = 0; step < size; ++step) {
          const int64_t at = (o * size + (reverse ? size - 1 - step : step)) * inner + i;
          const auto value = static_cast<Sum>(GetAs<T>(x, at));
          SetAs<T>(*y, at, static_cast<T>(exclusive ? sum : sum + value));
          sum += value;
        }
      }
    }
    return OkStatus();
  });
}

Status InferCumSum(InferContext& in) {
  RETURN_IF_ERROR(RequireIndexType(in, 1));
  if (const auto axis = in.Ints(1); axis && axis->size() == 1 && in.dims(0)) {
    RETURN_IF_ERROR(NormalizeAxis((*axis)[0], in.type(0).rank()).status());
  }
  return InferSameAsFirst(in);
}

}  // namespace

OpDef CumSumOp() {
  return OpDef("CumSum")
      .Input("x")
      .Input("axis")
      .Output("y")
      .DefaultAttr("exclusive", AttrKind::kInt, int64_t{0}, "1: the element itself is left out.")
      .DefaultAttr("reverse", AttrKind::kInt, int64_t{0}, "1: sums from the end.")
      .Doc("The sum of all elements up to each element along the axis.")
      .Infer(InferCumSum)
      .Reference(EvalCumSum);
}

}  // namespace cairn
