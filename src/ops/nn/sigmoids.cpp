// SPDX-License-Identifier: Apache-2.0
// Smooth activations: Sigmoid, HardSigmoid, HardSwish, Swish, Mish, Gelu, Softplus, Softsign.
#include <algorithm>
#include <cmath>

#include "ops/elementwise.h"

namespace cairn {
namespace {

double Logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

/// log(1 + e^x) without overflow.
double LogOnePlusExp(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

/// min(max(x, 0), 1) with NaN passed on.
double UnitClamp(double x) { return x < 0 ? 0.0 : x > 1 ? 1.0 : x; }

OpDef Activation(const char* name, const char* doc, EvalFn eval) {
  return OpDef(name)
      .Input("X")
      .Output("Y")
      .Doc(doc)
      .Infer(InferFloatSameAsFirst)
      .Reference(eval)
      .Traits(kPure | kElementwise);
}

Status EvalHardSigmoid(EvalContext& in) {
  const double alpha = in.node().GetFloat("alpha", 0.2f), beta = in.node().GetFloat("beta", 0.5f);
  return EvalUnary(in, [=](double x) { return UnitClamp(alpha * x + beta); });
}

Status EvalSwish(EvalContext& in) {
  const double alpha = in.node().GetFloat("alpha", 1);
  return EvalUnary(in, [alpha](double x) {
    const double gate = Logistic(alpha * x);
    // -Inf * 0 would be NaN; the limit is 0.
    return std::isinf(x) && gate == 0 ? 0.0 : x * gate;
  });
}

Status EvalGelu(EvalContext& in) {
  if (in.node().GetString("approximate", "none") == "tanh") {
    const double factor = std::sqrt(2.0 / M_PI);
    return EvalUnary(in, [factor](double x) {
      return 0.5 * x * (1.0 + std::tanh(factor * (x + 0.044715 * x * x * x)));
    });
  }
  return EvalUnary(in, [](double x) { return 0.5 * x * (1.0 + std::erf(x / std::sqrt(2.0))); });
}

Status InferGelu(InferContext& in) {
  const std::string approximate = in.node().GetString("approximate", "none");
  if (approximate != "none" && approximate != "tanh") {
    return Status(Code::kInvalidModel,
                  StrCat("approximate is '", approximate, "', expected 'none' or 'tanh'"));
  }
  return InferFloatSameAsFirst(in);
}

}  // namespace

OpDef SigmoidOp() {
  return Activation("Sigmoid", "y = 1 / (1 + e^-x).",
                    EvalUnaryBy<[](double x) { return Logistic(x); }>);
}

OpDef HardSigmoidOp() {
  return Activation("HardSigmoid", "y = max(0, min(1, alpha * x + beta)).", EvalHardSigmoid)
      .DefaultAttr("alpha", AttrKind::kFloat, 0.2f, "Slope.")
      .DefaultAttr("beta", AttrKind::kFloat, 0.5f, "Value at 0.");
}

OpDef HardSwishOp() {
  return Activation("HardSwish", "y = x * max(0, min(1, x / 6 + 1 / 2)).",
                    EvalUnaryBy<[](double x) { return x * UnitClamp(x / 6.0 + 0.5); }>);
}

OpDef SwishOp() {
  return Activation("Swish", "y = x * sigmoid(alpha * x); SiLU for alpha = 1.", EvalSwish)
      .DefaultAttr("alpha", AttrKind::kFloat, 1.0f, "Factor inside the sigmoid.");
}

OpDef MishOp() {
  return Activation("Mish", "y = x * tanh(log(1 + e^x)).",
                    EvalUnaryBy<[](double x) { return x * std::tanh(LogOnePlusExp(x)); }>);
}

OpDef GeluOp() {
  return OpDef("Gelu")
      .Input("X")
      .Output("Y")
      .DefaultAttr("approximate", AttrKind::kString, std::string("none"),
                   "\"none\": with erf; \"tanh\": the tanh approximation.")
      .Doc("y = x / 2 * (1 + erf(x / sqrt(2))), or its tanh approximation.")
      .Infer(InferGelu)
      .Reference(EvalGelu)
      .Traits(kPure | kElementwise);
}

OpDef SoftplusOp() {
  return Activation("Softplus", "y = log(1 + e^x).",
                    EvalUnaryBy<[](double x) { return LogOnePlusExp(x); }>);
}

OpDef SoftsignOp() {
  return Activation("Softsign", "y = x / (1 + |x|).",
                    EvalUnaryBy<[](double x) { return x / (1.0 + std::fabs(x)); }>);
}

}  // namespace cairn
