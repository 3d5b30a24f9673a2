// SPDX-License-Identifier: Apache-2.0
// Pow: a to the power b; the result has the type of a.
#include <cmath>

#include "ops/elementwise.h"

namespace cairn {
namespace {

int64_t IntegerPower(int64_t base, int64_t exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    return 0;
  }
  auto factor = static_cast<uint64_t>(base);
  uint64_t result = 1;
  for (auto rest = static_cast<uint64_t>(exponent); rest != 0; rest >>= 1) {
    if (rest & 1) result *= factor;
    factor *= factor;
  }
  return static_cast<int64_t>(result);
}

Status InferPow(InferContext& in) {
  const ElementType dtype = in.type(0).dtype;
  if (!in.dims(0) || !in.dims(1)) {
    in.SetOutput(0, TensorType(dtype));
    return OkStatus();
  }
  ASSIGN_OR_RETURN(Dims dims,
                   BroadcastDims(*in.dims(0), *in.dims(1), [&in] { return in.NewSymbol(); }));
  in.SetOutput(0, TensorType(dtype, std::move(dims)));
  return OkStatus();
}

Status EvalPow(EvalContext& in) {
  const Tensor &a = in.input(0), &b = in.input(1);
  ASSIGN_OR_RETURN(const Shape shape, BroadcastShapes(a.shape(), b.shape()));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, a.dtype(), shape));
  const bool float_base = IsFloat(a.dtype()), float_exponent = IsFloat(b.dtype());
  ForEachPair(a.shape(), b.shape(), shape, [&](int64_t i, int64_t pa, int64_t pb) {
    if (float_base) {
      y->SetDouble(i, std::pow(a.GetDouble(pa), b.GetDouble(pb)));
    } else if (float_exponent) {
      y->SetDouble(i, std::trunc(std::pow(a.GetDouble(pa), b.GetDouble(pb))));
    } else {
      y->SetInt(i, IntegerPower(a.GetInt(pa), b.GetInt(pb)));
    }
  });
  return OkStatus();
}

}  // namespace

OpDef PowOp() {
  return OpDef("Pow")
      .Input("X")
      .Input("Y")
      .Output("Z")
      .Doc(
          "z = x^y with broadcasting; the result has the type of x. Integer powers wrap; an "
          "integer "
          "base with a negative exponent truncates; with a float exponent it is computed in double "
          "and truncated.")
      .Infer(InferPow)
      .Reference(EvalPow)
      .Traits(kPure | kElementwise);
}

}  // namespace cairn
