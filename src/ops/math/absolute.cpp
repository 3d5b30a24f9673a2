// SPDX-License-Identifier: Apache-2.0
// Abs, Neg, Sign: functions of the sign, exact on integers.
#include <cmath>

#include "ops/elementwise.h"

namespace cairn {
namespace {

Status EvalAbs(EvalContext& in) {
  return EvalUnaryExact(in, []<class T>(T x) {
    if constexpr (std::is_same_v<T, double>)
      return std::fabs(x);
    else if constexpr (std::is_same_v<T, int64_t>)
      return x < 0 ? static_cast<T>(0ull - static_cast<uint64_t>(x)) : x;
    else
      return x;
  });
}

Status EvalNeg(EvalContext& in) {
  return EvalUnaryExact(in, []<class T>(T x) {
    if constexpr (std::is_same_v<T, double>)
      return -x;
    else
      return static_cast<T>(0ull - static_cast<uint64_t>(x));
  });
}

Status EvalSign(EvalContext& in) {
  return EvalUnaryExact(in, []<class T>(T x) {
    if constexpr (std::is_same_v<T, double>)
      return std::isnan(x) ? x : static_cast<double>((x > 0) - (x < 0));
    else
      return static_cast<T>((x > 0) - (x < 0));
  });
}

Status InferNeg(InferContext& in) {
  RETURN_IF_ERROR(InferSameAsFirst(in));
  PropagateElements(in,
                    [](const std::vector<Dim>& x) -> std::optional<Dim> { return Dim(0) - x[0]; });
  return OkStatus();
}

}  // namespace

OpDef AbsOp() {
  return OpDef("Abs")
      .Input("X")
      .Output("Y")
      .Doc("y = |x|, element by element. The smallest signed integer stays itself.")
      .Infer(InferSameAsFirst)
      .Reference(EvalAbs)
      .Traits(kPure | kElementwise);
}

OpDef NegOp() {
  return OpDef("Neg")
      .Input("X")
      .Output("Y")
      .Doc("y = -x, element by element; integers wrap.")
      .Infer(InferNeg)
      .Reference(EvalNeg)
      .Traits(kPure | kElementwise);
}

OpDef SignOp() {
  return OpDef("Sign")
      .Input("X")
      .Output("Y")
      .Doc("y = 1 for x > 0, -1 for x < 0, 0 for x = 0; NaN stays NaN.")
      .Infer(InferSameAsFirst)
      .Reference(EvalSign)
      .Traits(kPure | kElementwise);
}

}  // namespace cairn
