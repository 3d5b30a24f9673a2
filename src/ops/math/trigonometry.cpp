// SPDX-License-Identifier: Apache-2.0
// Sin, Cos, Tan and their inverses.
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

OpDef SinOp() {
  return FloatFunction<[](double x) { return std::sin(x); }>(
      "Sin", "The sine of x in radians, element by element.");
}

OpDef CosOp() {
  return FloatFunction<[](double x) { return std::cos(x); }>(
      "Cos", "The cosine of x in radians, element by element.");
}

OpDef TanOp() {
  return FloatFunction<[](double x) { return std::tan(x); }>(
      "Tan", "The tangent of x in radians, element by element.");
}

OpDef AsinOp() {
  return FloatFunction<[](double x) { return std::asin(x); }>(
      "Asin", "The arcsine, in [-pi/2, pi/2]; NaN outside of [-1, 1], element by element.");
}

OpDef AcosOp() {
  return FloatFunction<[](double x) { return std::acos(x); }>(
      "Acos", "The arccosine, in [0, pi]; NaN outside of [-1, 1], element by element.");
}

OpDef AtanOp() {
  return FloatFunction<[](double x) { return std::atan(x); }>(
      "Atan", "The arctangent, in [-pi/2, pi/2], element by element.");
}

}  // namespace cairn
