// SPDX-License-Identifier: Apache-2.0
// Relu: max(x, 0).
#include "ops/elementwise.h"
#include "ops/op_def.h"

namespace cairn {
namespace {

Status EvalRelu(EvalContext& in) {
  // onnx:Relu NaN propagates.
  return EvalUnary(in, [](double x) { return x < 0 ? 0.0 : x; });
}

}  // namespace

OpDef ReluOp() {
  return OpDef("Relu")
      .Input("X")
      .Output("Y")
      .Doc("y = max(x, 0), element by element; NaN stays NaN.")
      .Infer(InferSameAsFirst)
      .Reference(EvalRelu)
      .Traits(kPure | kElementwise);
}

}  // namespace cairn
