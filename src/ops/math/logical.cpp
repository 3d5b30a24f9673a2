// SPDX-License-Identifier: Apache-2.0
// And, Or, Xor, Not on bool; the bitwise forms on integers.
#include "ops/elementwise.h"

namespace cairn {
namespace {

template <class F>
Status EvalIntegers(EvalContext& in, const F& f) {
  const Tensor &a = in.input(0), &b = in.input(1);
  ASSIGN_OR_RETURN(const Shape shape, BroadcastShapes(a.shape(), b.shape()));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, a.dtype(), shape));
  ForEachPair(a.shape(), b.shape(), shape, [&](int64_t i, int64_t pa, int64_t pb) {
    y->SetInt(i, f(a.GetInt(pa), b.GetInt(pb)));
  });
  return OkStatus();
}

Status EvalAnd(EvalContext& in) {
  return EvalIntegers(in, [](int64_t a, int64_t b) { return a & b; });
}
Status EvalOr(EvalContext& in) {
  return EvalIntegers(in, [](int64_t a, int64_t b) { return a | b; });
}
Status EvalXor(EvalContext& in) {
  return EvalIntegers(in, [](int64_t a, int64_t b) { return a ^ b; });
}

template <class F>
Status EvalInteger(EvalContext& in, const F& f) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), x.shape()));
  for (int64_t i = 0; i < x.num_elements(); ++i) y->SetInt(i, f(x.GetInt(i)));
  return OkStatus();
}

Status EvalNot(EvalContext& in) {
  return EvalInteger(in, [](int64_t x) { return int64_t{x == 0}; });
}
Status EvalBitwiseNot(EvalContext& in) {
  return EvalInteger(in, [](int64_t x) { return ~x; });
}

Status RequireInteger(const InferContext& in, size_t i) {
  const ElementType dtype = in.type(i).dtype;
  if (dtype == ElementType::kUndefined || IsInteger(dtype)) return OkStatus();
  return Status(Code::kInvalidModel,
                StrCat("input ", i, " is ", dtype, ", expected an integer type"));
}

Status InferLogical(InferContext& in) {
  RETURN_IF_ERROR(RequireBool(in, 0));
  RETURN_IF_ERROR(RequireBool(in, 1));
  return InferBroadcast(in);
}

Status InferAnd(InferContext& in) {
  RETURN_IF_ERROR(InferLogical(in));
  PropagateElements(in,
                    [](const std::vector<Dim>& x) -> std::optional<Dim> { return x[0] * x[1]; });
  return OkStatus();
}

Status InferNot(InferContext& in) {
  RETURN_IF_ERROR(RequireBool(in, 0));
  RETURN_IF_ERROR(InferSameAsFirst(in));
  PropagateElements(in,
                    [](const std::vector<Dim>& x) -> std::optional<Dim> { return Dim(1) - x[0]; });
  return OkStatus();
}

Status InferBitwise(InferContext& in) {
  for (size_t i = 0; i < in.num_inputs(); ++i) RETURN_IF_ERROR(RequireInteger(in, i));
  return InferBroadcast(in);
}

/// The sign is extended to the right; bits leave on both sides. A shift by the width or more, or by
/// a negative number, leaves the sign bits alone.
int64_t Shift(int64_t value, int64_t by, bool left, int bits) {
  if (by < 0 || by >= bits) return !left && value < 0 ? -1 : 0;
  return left ? static_cast<int64_t>(static_cast<uint64_t>(value) << by) : value >> by;
}

Status EvalBitShift(EvalContext& in) {
  const bool left = in.node().GetString("direction", "") == "LEFT";
  const ElementType dtype = in.input(0).dtype();
  const int bits = ElementBits(dtype);
  return EvalIntegers(in, [=](int64_t a, int64_t b) {
    if (dtype != ElementType::kU64) return Shift(a, b, left, bits);
    if (static_cast<uint64_t>(b) >= 64) return int64_t{0};
    return static_cast<int64_t>(left ? static_cast<uint64_t>(a) << b
                                     : static_cast<uint64_t>(a) >> b);
  });
}

Status InferBitShift(InferContext& in) {
  const std::string direction = in.node().GetString("direction", "");
  if (direction != "LEFT" && direction != "RIGHT") {
    return Status(Code::kInvalidModel,
                  StrCat("direction is '", direction, "', expected 'LEFT' or 'RIGHT'"));
  }
  return InferBitwise(in);
}

OpDef Binary(const char* name, const char* doc, InferFn infer, EvalFn eval) {
  return OpDef(name).Input("A").Input("B").Output("C").Doc(doc).Infer(infer).Reference(eval).Traits(
      kPure | kElementwise | kCommutative);
}

OpDef Unary(const char* name, const char* doc, InferFn infer, EvalFn eval) {
  return OpDef(name).Input("X").Output("Y").Doc(doc).Infer(infer).Reference(eval).Traits(
      kPure | kElementwise);
}

}  // namespace

OpDef AndOp() { return Binary("And", "Logical and with broadcasting.", InferAnd, EvalAnd); }
OpDef OrOp() { return Binary("Or", "Logical or with broadcasting.", InferLogical, EvalOr); }
OpDef XorOp() { return Binary("Xor", "Exclusive or with broadcasting.", InferLogical, EvalXor); }
OpDef NotOp() { return Unary("Not", "Logical negation.", InferNot, EvalNot); }

OpDef BitwiseAndOp() {
  return Binary("BitwiseAnd", "Bitwise and of integers with broadcasting.", InferBitwise, EvalAnd);
}
OpDef BitwiseOrOp() {
  return Binary("BitwiseOr", "Bitwise or of integers with broadcasting.", InferBitwise, EvalOr);
}
OpDef BitwiseXorOp() {
  return Binary("BitwiseXor", "Bitwise exclusive or of integers with broadcasting.", InferBitwise,
                EvalXor);
}
OpDef BitwiseNotOp() {
  return Unary("BitwiseNot", "Bitwise complement of integers.", InferBitwise, EvalBitwiseNot);
}

OpDef BitShiftOp() {
  return OpDef("BitShift")
      .Input("X")
      .Input("Y")
      .Output("Z")
      .Attr("direction", AttrKind::kString, "LEFT or RIGHT.")
      .Doc(
          "Shifts integers by y bits, with broadcasting; to the right the sign is extended. A "
          "shift by "
          "the width or more, or by a negative number, leaves only sign bits.")
      .Infer(InferBitShift)
      .Reference(EvalBitShift)
      .Traits(kPure | kElementwise);
}

}  // namespace cairn
