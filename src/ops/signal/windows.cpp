// SPDX-License-Identifier: Apache-2.0
// HannWindow, HammingWindow, BlackmanWindow: cosine windows.
#include <cmath>
#include <numbers>

#include "ops/elements.h"

namespace cairn {
namespace {

ElementType OutputType(const Node& node) {
  const auto* type = node.Get<TensorType>("output_datatype");
  return type ? type->dtype : ElementType::kF32;
}

Status InferWindow(InferContext& in) {
  RETURN_IF_ERROR(RequireIndexType(in, 0));
  const auto size = in.Elements(0);
  const bool known = size && size->size() == 1 && (!(*size)[0].is_const() || (*size)[0].value() >= 0);
  in.SetOutput(0, TensorType(OutputType(in.node()), {known ? (*size)[0] : in.NewSymbol()}));
  return OkStatus();
}

/// w[n] = a0 - a1 cos(2 pi n / N) + a2 cos(4 pi n / N), N = size (periodic) or size - 1.
template <class Terms>
Status EvalCosineWindow(EvalContext& in, const Terms& terms) {
  const int64_t size = in.input(0).num_elements() == 1 ? in.input(0).GetInt(0) : -1;
  if (size < 0) return Status(Code::kInvalidArgument, "the size of a window must be a scalar >= 0");
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, OutputType(in.node()), {size}));
  const bool periodic = in.node().GetInt("periodic", 1) != 0;
  const auto length = static_cast<double>(periodic ? size : size - 1);
  for (int64_t n = 0; n < size; ++n) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(n) / length;
    const double value = terms[0] - terms[1] * std::cos(angle) + terms[2] * std::cos(2 * angle);
    y->SetDouble(n, size == 1 ? 1 : value);
  }
  return OkStatus();
}

constexpr double kHann[] = {0.5, 0.5, 0};
constexpr double kHamming[] = {25.0 / 46, 21.0 / 46, 0};
constexpr double kBlackman[] = {0.42, 0.5, 0.08};

OpDef WindowOp(const char* name, const char* formula, EvalFn eval) {
  return OpDef(name)
      .Input("size")
      .Output("output")
      .OptionalAttr("output_datatype", AttrKind::kType, "f32 when absent.")
      .DefaultAttr("periodic", AttrKind::kInt, int64_t{1}, "1: N = size; 0: N = size - 1.")
      .Doc(StrCat("w[n] = ", formula, " for n < size; a window of size 1 is 1."))
      .Infer(InferWindow)
      .Reference(eval);
}

}  // namespace

OpDef HannWindowOp() {
  return WindowOp("HannWindow", "0.5 - 0.5 cos(2 pi n / N)",
                  [](EvalContext& in) { return EvalCosineWindow(in, kHann); });
}

OpDef HammingWindowOp() {
  return WindowOp("HammingWindow", "25/46 - 21/46 cos(2 pi n / N)",
                  [](EvalContext& in) { return EvalCosineWindow(in, kHamming); });
}

OpDef BlackmanWindowOp() {
  return WindowOp("BlackmanWindow", "0.42 - 0.5 cos(2 pi n / N) + 0.08 cos(4 pi n / N)",
                  [](EvalContext& in) { return EvalCosineWindow(in, kBlackman); });
}

}  // namespace cairn
