// SPDX-License-Identifier: Apache-2.0
// Floor, Ceil, Round.
#include <cmath>

#include "ops/elementwise.h"

namespace cairn {
namespace {

OpDef Rounding(const char* name, const char* doc, EvalFn eval) {
  return OpDef(name)
      .Input("X")
      .Output("Y")
      .Doc(doc)
      .Infer(InferFloatSameAsFirst)
      .Reference(eval)
      .Traits(kPure | kElementwise);
}

}  // namespace

OpDef FloorOp() {
  return Rounding("Floor", "The largest integer not above x, element by element.",
                  EvalUnaryBy<[](double x) { return std::floor(x); }>);
}

OpDef CeilOp() {
  return Rounding("Ceil", "The smallest integer not below x, element by element.",
                  EvalUnaryBy<[](double x) { return std::ceil(x); }>);
}

OpDef RoundOp() {
  return Rounding("Round", "The nearest integer, halves to the even one, element by element.",
                  EvalUnaryBy<[](double x) { return std::nearbyint(x); }>);
}

}  // namespace cairn
