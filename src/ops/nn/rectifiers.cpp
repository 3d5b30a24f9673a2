// SPDX-License-Identifier: Apache-2.0
// Piecewise activations: LeakyRelu, PRelu, Elu, Selu, Celu, ThresholdedRelu, Shrink.
#include <algorithm>
#include <cmath>

#include "ops/elementwise.h"

namespace cairn {
namespace {

OpDef Activation(const char* name, const char* doc, EvalFn eval,
                 InferFn infer = InferFloatSameAsFirst) {
  return OpDef(name).Input("X").Output("Y").Doc(doc).Infer(infer).Reference(eval).Traits(
      kPure | kElementwise);
}

Status EvalLeakyRelu(EvalContext& in) {
  const double alpha = in.node().GetFloat("alpha", 0.01f);
  return EvalUnary(in, [alpha](double x) { return x < 0 ? alpha * x : x; });
}

Status EvalElu(EvalContext& in) {
  const double alpha = in.node().GetFloat("alpha", 1);
  return EvalUnary(in, [alpha](double x) { return x < 0 ? alpha * std::expm1(x) : x; });
}

constexpr float kSeluAlpha = 1.67326319217681884765625f;
constexpr float kSeluGamma = 1.05070102214813232421875f;

Status EvalSelu(EvalContext& in) {
  const double alpha = in.node().GetFloat("alpha", kSeluAlpha);
  const double gamma = in.node().GetFloat("gamma", kSeluGamma);
  return EvalUnary(in, [=](double x) { return gamma * (x <= 0 ? alpha * std::expm1(x) : x); });
}

Status EvalCelu(EvalContext& in) {
  const double alpha = in.node().GetFloat("alpha", 1);
  return EvalUnary(in, [alpha](double x) { return x < 0 ? alpha * std::expm1(x / alpha) : x; });
}

Status EvalThresholdedRelu(EvalContext& in) {
  const double alpha = in.node().GetFloat("alpha", 1);
  return EvalUnary(in, [alpha](double x) { return x > alpha ? x : 0.0; });
}

Status EvalShrink(EvalContext& in) {
  const double bias = in.node().GetFloat("bias", 0), lambda = in.node().GetFloat("lambd", 0.5f);
  return EvalUnary(in, [=](double x) {
    if (x < -lambda) return x + bias;
    return x > lambda ? x - bias : 0.0;
  });
}

Status InferPRelu(InferContext& in) {
  RETURN_IF_ERROR(RequireSameDtype(in, 0, 1));
  if (in.dims(0) && in.dims(1)) {
    ASSIGN_OR_RETURN(const Dims dims,
                     BroadcastDims(*in.dims(0), *in.dims(1), [&in] { return in.NewSymbol(); }));
    // onnx:PRelu slope broadcasts to X, not the other way round.
    if (dims.size() != in.dims(0)->size()) {
      return Status(Code::kInvalidModel,
                    StrCat("slope ", in.type(1).ToString(), " does not broadcast to X ",
                           in.type(0).ToString()));
    }
  }
  return InferSameAsFirst(in);
}

Status EvalPRelu(EvalContext& in) {
  return EvalBinary(in,
                    []<class T>(T x, T slope) { return x < 0 ? static_cast<T>(x * slope) : x; });
}

}  // namespace

OpDef LeakyReluOp() {
  return Activation("LeakyRelu", "y = x for x >= 0, alpha * x below.", EvalLeakyRelu)
      .DefaultAttr("alpha", AttrKind::kFloat, 0.01f, "Slope below 0.");
}

OpDef PReluOp() {
  return OpDef("PRelu")
      .Input("X")
      .Input("slope")
      .Output("Y")
      .Doc("y = x for x >= 0, slope * x below; slope broadcasts to x.")
      .Infer(InferPRelu)
      .Reference(EvalPRelu)
      .Traits(kPure | kElementwise);
}

OpDef EluOp() {
  return Activation("Elu", "y = x for x >= 0, alpha * (e^x - 1) below.", EvalElu)
      .DefaultAttr("alpha", AttrKind::kFloat, 1.0f, "Limit below 0.");
}

OpDef SeluOp() {
  return Activation("Selu", "y = gamma * (x for x > 0, alpha * (e^x - 1) otherwise).", EvalSelu)
      .DefaultAttr("alpha", AttrKind::kFloat, kSeluAlpha, "Factor of the exponential part.")
      .DefaultAttr("gamma", AttrKind::kFloat, kSeluGamma, "Factor of everything.");
}

OpDef CeluOp() {
  return Activation("Celu", "y = x for x >= 0, alpha * (e^(x/alpha) - 1) below.", EvalCelu)
      .DefaultAttr("alpha", AttrKind::kFloat, 1.0f, "Limit below 0.");
}

OpDef ThresholdedReluOp() {
  return Activation("ThresholdedRelu", "y = x for x > alpha, else 0; NaN gives 0.", EvalThresholdedRelu)
      .DefaultAttr("alpha", AttrKind::kFloat, 1.0f, "Threshold.");
}

OpDef ShrinkOp() {
  return Activation("Shrink", "y = x + bias for x < -lambd, x - bias for x > lambd, else 0; NaN gives 0.",
                    EvalShrink, InferSameAsFirst)
      .DefaultAttr("bias", AttrKind::kFloat, 0.0f, "Shift towards 0.")
      .DefaultAttr("lambd", AttrKind::kFloat, 0.5f, "Threshold.");
}

}  // namespace cairn
