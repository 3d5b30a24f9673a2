// SPDX-License-Identifier: Apache-2.0
// Exp, Log, Sqrt, Reciprocal, Erf.
#include <cmath>

#include "ops/elementwise.h"

namespace cairn {
namespace {

OpDef FloatFunction(const char* name, const char* doc, EvalFn eval) {
  return OpDef(name)
      .Input("X")
      .Output("Y")
      .Doc(doc)
      .Infer(InferFloatSameAsFirst)
      .Reference(eval)
      .Traits(kPure | kElementwise);
}

}  // namespace

OpDef ExpOp() {
  return FloatFunction("Exp", "y = e^x, element by element.",
                       EvalUnaryBy<[](double x) { return std::exp(x); }>);
}

OpDef LogOp() {
  return FloatFunction("Log", "The natural logarithm, element by element; NaN for x < 0.",
                       EvalUnaryBy<[](double x) { return std::log(x); }>);
}

OpDef SqrtOp() {
  return FloatFunction("Sqrt", "The square root, element by element; NaN for x < 0.",
                       EvalUnaryBy<[](double x) { return std::sqrt(x); }>);
}

OpDef ReciprocalOp() {
  return FloatFunction("Reciprocal", "y = 1 / x, element by element.",
                       EvalUnaryBy<[](double x) { return 1.0 / x; }>);
}

OpDef ErfOp() {
  return OpDef("Erf")
      .Input("X")
      .Output("Y")
      .Doc("The Gauss error function, element by element.")
      .Infer(InferSameAsFirst)
      .Reference(EvalUnaryBy<[](double x) { return std::erf(x); }>)
      .Traits(kPure | kElementwise);
}

}  // namespace cairn
