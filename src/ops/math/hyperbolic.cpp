// SPDX-License-Identifier: Apache-2.0
// Sinh, Cosh, Tanh and their inverses.
#include <cmath>

#include "ops/elementwise.h"

namespace cairn {
namespace {

template <auto F>
OpDef FloatFunction(const char* name, const char* doc) {
  return OpDef(name)
      .Input("X")
      .Output("Y")
      .Doc(doc)
      .Infer(InferFloatSameAsFirst)
      .Reference(EvalUnaryBy<F>)
      .Traits(kPure | kElementwise);
}

}  // namespace

OpDef SinhOp() {
  return FloatFunction<[](double x) { return std::sinh(x); }>(
      "Sinh", "The hyperbolic sine, element by element.");
}

OpDef CoshOp() {
  return FloatFunction<[](double x) { return std::cosh(x); }>(
      "Cosh", "The hyperbolic cosine, element by element.");
}

OpDef TanhOp() {
  return FloatFunction<[](double x) { return std::tanh(x); }>(
      "Tanh", "The hyperbolic tangent, element by element.");
}

OpDef AsinhOp() {
  return FloatFunction<[](double x) { return std::asinh(x); }>(
      "Asinh", "The inverse hyperbolic sine, element by element.");
}

OpDef AcoshOp() {
  return FloatFunction<[](double x) { return std::acosh(x); }>(
      "Acosh", "The inverse hyperbolic cosine; NaN for x < 1, element by element.");
}

OpDef AtanhOp() {
  return FloatFunction<[](double x) { return std::atanh(x); }>(
      "Atanh", "The inverse hyperbolic tangent; NaN outside of [-1, 1], element by element.");
}

}  // namespace cairn
