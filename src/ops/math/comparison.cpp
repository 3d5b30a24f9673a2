// SPDX-License-Identifier: Apache-2.0
// Equal, Less, Greater, LessOrEqual, GreaterOrEqual with broadcasting.
#include <algorithm>

#include "ops/elementwise.h"

namespace cairn {
namespace {

Status EvalEqualStrings(EvalContext& in) {
  const Tensor &a = in.input(0), &b = in.input(1);
  ASSIGN_OR_RETURN(const Shape shape, BroadcastShapes(a.shape(), b.shape()));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, ElementType::kBool, shape));
  ForEachPair(a.shape(), b.shape(), shape, [&](int64_t i, int64_t pa, int64_t pb) {
    y->SetInt(i, a.strings()[static_cast<size_t>(pa)] == b.strings()[static_cast<size_t>(pb)]);
  });
  return OkStatus();
}

Status EvalEqual(EvalContext& in) {
  if (in.input(0).dtype() == ElementType::kString) return EvalEqualStrings(in);
  return EvalBinaryAs(in, ElementType::kBool, [](auto a, auto b) { return a == b; });
}
Status EvalLess(EvalContext& in) {
  return EvalBinaryAs(in, ElementType::kBool, [](auto a, auto b) { return a < b; });
}
Status EvalGreater(EvalContext& in) {
  return EvalBinaryAs(in, ElementType::kBool, [](auto a, auto b) { return a > b; });
}
Status EvalLessOrEqual(EvalContext& in) {
  return EvalBinaryAs(in, ElementType::kBool, [](auto a, auto b) { return a <= b; });
}
Status EvalGreaterOrEqual(EvalContext& in) {
  return EvalBinaryAs(in, ElementType::kBool, [](auto a, auto b) { return a >= b; });
}

/// Whether a >= b for all values of the symbols.
bool AlwaysAtLeast(const Dim& a, const Dim& b) { return Dim::Max(a, b) == a; }

std::optional<Dim> Truth(bool value) { return Dim(value ? 1 : 0); }

std::optional<Dim> EqualDims(const std::vector<Dim>& x) {
  if (x[0] == x[1]) return Truth(true);
  if (!IsCertain(x[0]) || !IsCertain(x[1])) return std::nullopt;
  if (AlwaysAtLeast(x[0], x[1] + Dim(1)) || AlwaysAtLeast(x[1], x[0] + Dim(1))) return Truth(false);
  return std::nullopt;
}

std::optional<Dim> LessDims(const std::vector<Dim>& x) {
  if (!IsCertain(x[0]) || !IsCertain(x[1])) return std::nullopt;
  if (AlwaysAtLeast(x[0], x[1])) return Truth(false);
  if (AlwaysAtLeast(x[1], x[0] + Dim(1))) return Truth(true);
  return std::nullopt;
}

std::optional<Dim> GreaterDims(const std::vector<Dim>& x) { return LessDims({x[1], x[0]}); }
std::optional<Dim> Negated(const std::optional<Dim>& truth) {
  return truth ? std::optional(Dim(1) - *truth) : std::nullopt;
}
std::optional<Dim> LessOrEqualDims(const std::vector<Dim>& x) { return Negated(GreaterDims(x)); }
std::optional<Dim> GreaterOrEqualDims(const std::vector<Dim>& x) { return Negated(LessDims(x)); }

template <ElementFn Symbolic>
Status InferComparison(InferContext& in) {
  const ElementType dtype = in.type(0).dtype;
  if (dtype == ElementType::kC64 || dtype == ElementType::kC128 ||
      in.type(0).kind != ValueKind::kTensor) {
    return Status(Code::kUnsupported,
                  StrCat("comparing ", in.type(0).ToString(), " is not supported"));
  }
  RETURN_IF_ERROR(InferBroadcastBool(in));
  PropagateElements(in, Symbolic);
  return OkStatus();
}

OpDef Comparison(const char* name, const char* doc, InferFn infer, EvalFn eval,
                 uint32_t traits = 0) {
  return OpDef(name).Input("A").Input("B").Output("C").Doc(doc).Infer(infer).Reference(eval).Traits(
      kPure | kElementwise | traits);
}

}  // namespace

OpDef EqualOp() {
  return Comparison("Equal", "a == b with broadcasting, for all types; NaN equals nothing.",
                    InferComparison<EqualDims>, EvalEqual, kCommutative | kAnyDtype);
}

OpDef LessOp() {
  return Comparison("Less", "a < b with broadcasting; false when one is NaN.",
                    InferComparison<LessDims>, EvalLess);
}

OpDef GreaterOp() {
  return Comparison("Greater", "a > b with broadcasting; false when one is NaN.",
                    InferComparison<GreaterDims>, EvalGreater);
}

OpDef LessOrEqualOp() {
  return Comparison("LessOrEqual", "a <= b with broadcasting; false when one is NaN.",
                    InferComparison<LessOrEqualDims>, EvalLessOrEqual);
}

OpDef GreaterOrEqualOp() {
  return Comparison("GreaterOrEqual", "a >= b with broadcasting; false when one is NaN.",
                    InferComparison<GreaterOrEqualDims>, EvalGreaterOrEqual);
}

}  // namespace cairn
