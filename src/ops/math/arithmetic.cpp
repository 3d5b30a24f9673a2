// SPDX-License-Identifier: Apache-2.0
// Add, Sub, Mul, Div with broadcasting. Integers wrap.
#include "ops/elementwise.h"

namespace cairn {
namespace {

using Operands = std::vector<Dim>;

template <class T>
T Wrapped(uint64_t value) {
  return static_cast<T>(value);
}

template <class T>
T SubAny(T a, T b) {
  if constexpr (std::is_same_v<T, double>)
    return a - b;
  else
    return Wrapped<T>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
template <class T>
T DivAny(T a, T b) {
  if constexpr (std::is_same_v<T, double>) {
    return a / b;
  } else {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return Wrapped<T>(0ull - static_cast<uint64_t>(a));
    }
    return static_cast<T>(a / b);
  }
}

/// The element function and the symbolic one of an operator.
template <ElementFn Symbolic>
Status InferArithmetic(InferContext& in) {
  RETURN_IF_ERROR(InferBroadcast(in));
  PropagateElements(in, Symbolic);
  return OkStatus();
}

std::optional<Dim> AddDims(const Operands& x) { return x[0] + x[1]; }
std::optional<Dim> SubDims(const Operands& x) { return x[0] - x[1]; }
std::optional<Dim> MulDims(const Operands& x) { return x[0] * x[1]; }
std::optional<Dim> DivDims(const Operands& x) {
  if (x[1].is_const() && x[1].value() == 0) return std::nullopt;
  if (x[0].is_const() && x[1].is_const()) {
    if (x[1].value() == -1) return Dim(0) - x[0];
    return Dim(x[0].value() / x[1].value());
  }
  if (auto exact = Dim::ExactDiv(x[0], x[1])) return exact;
  // Integer division truncates; it is the floor for a dividend that is known not to be negative.
  const bool non_negative = Dim::Max(x[0], Dim(0)) == x[0];
  if (!IsCertain(x[0]) || !non_negative || !x[1].is_const() || x[1].value() < 0)
    return std::nullopt;
  return Dim::FloorDiv(x[0], x[1]);
}

OpDef Arithmetic(const char* name, const char* doc, InferFn infer, EvalFn eval,
                 uint32_t traits = 0) {
  return OpDef(name).Input("A").Input("B").Output("C").Doc(doc).Infer(infer).Reference(eval).Traits(
      kPure | kElementwise | traits);
}

}  // namespace

OpDef AddOp() {
  return Arithmetic(
      "Add", "c = a + b with broadcasting.", InferArithmetic<AddDims>,
      [](EvalContext& in) {
        return EvalBinary(in, []<class T>(T a, T b) { return AddWrapping(a, b); });
      },
      kCommutative);
}

OpDef SubOp() {
  return Arithmetic("Sub", "c = a - b with broadcasting.", InferArithmetic<SubDims>,
                    [](EvalContext& in) {
                      return EvalBinary(in, []<class T>(T a, T b) { return SubAny(a, b); });
                    });
}

OpDef MulOp() {
  return Arithmetic(
      "Mul", "c = a * b with broadcasting.", InferArithmetic<MulDims>,
      [](EvalContext& in) {
        return EvalBinary(in, []<class T>(T a, T b) { return MultiplyWrapping(a, b); });
      },
      kCommutative);
}

OpDef DivOp() {
  return Arithmetic(
      "Div",
      "c = a / b with broadcasting. Integers truncate towards zero; x / 0 is 0 for integers.",
      InferArithmetic<DivDims>, [](EvalContext& in) {
        return EvalBinary(in, []<class T>(T a, T b) { return DivAny(a, b); });
      });
}

}  // namespace cairn
