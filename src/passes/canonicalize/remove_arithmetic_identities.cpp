// SPDX-License-Identifier: Apache-2.0
// RemoveArithmeticIdentities: arithmetic that returns its operand bit for bit.
#include <cmath>

#include "passes/passes.h"
#include "passes/rewrite.h"

namespace cairn {
namespace {

/// x + 0 is x except for x = -0, where only -0 is neutral; integers have one zero.
bool IsNeutralZero(const Value* value, bool negative) {
  const auto splat = SplatOf(value);
  if (!splat || *splat != 0) return false;
  return IsInteger(value->type().dtype) || std::signbit(*splat) == negative;
}

bool IsOne(const Value* value) { return SplatOf(value) == 1.0; }

/// The operand that the result equals, or nullptr.
Value* EqualOperand(const Node& node) {
  const std::string& op = node.op();
  Value *a = node.input(0), *b = node.input(1);
  if (op == "Mul" || op == "Add") {
    const auto neutral = [&](const Value* v) {
      return op == "Mul" ? IsOne(v) : IsNeutralZero(v, true);
    };
    return neutral(b) ? a : neutral(a) ? b : nullptr;
  }
  if (op == "Div" || op == "Pow") return IsOne(b) ? a : nullptr;
  if (op == "Sub") return IsNeutralZero(b, false) ? a : nullptr;
  if (op == "Neg") {
    const Node* inner = ProducerOf(a, "Neg");
    return inner ? inner->input(0) : nullptr;
  }
  if (op == "Not") {
    const Node* inner = ProducerOf(a, "Not");
    return inner ? inner->input(0) : nullptr;
  }
  const bool idempotent =
      op == "Relu" || op == "Abs" || op == "Floor" || op == "Ceil" || op == "Round" || op == "Sign";
  return idempotent && ProducerOf(a, op) ? a : nullptr;
}

Result<bool> RemoveIdentity(Graph& graph, Node& node) {
  Value* y = node.output();
  if (!y || node.epilogue() || node.inputs().empty()) return false;
  Value* x = EqualOperand(node);
  if (!x || !SameType(x, y)) return false;
  RETURN_IF_ERROR(ReplaceValue(graph, y, x));
  return true;
}

}  // namespace

Result<int> RemoveArithmeticIdentities(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, RemoveIdentity);
}

}  // namespace cairn
