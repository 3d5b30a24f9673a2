// SPDX-License-Identifier: Apache-2.0
// Lowers element-wise arithmetic of integers to the exact integer kernel.
#include <map>

#include "kernels/integer/integer.h"
#include "plan/emitter.h"
#include "plan/lowerings.h"

namespace cairn::plan {
namespace {

using kernels::IntegerOp;

std::optional<IntegerOp> OperationOf(const Node& node) {
  static const auto& operations = *new std::map<std::string, IntegerOp>{
      {"Abs", IntegerOp::kAbs},
      {"Add", IntegerOp::kAdd},
      {"And", IntegerOp::kAnd},
      {"BitwiseAnd", IntegerOp::kAnd},
      {"BitwiseNot", IntegerOp::kNot},
      {"BitwiseOr", IntegerOp::kOr},
      {"BitwiseXor", IntegerOp::kXor},
      {"Div", IntegerOp::kDiv},
      {"Equal", IntegerOp::kEqual},
      {"Greater", IntegerOp::kGreater},
      {"GreaterOrEqual", IntegerOp::kGreaterEqual},
      {"Less", IntegerOp::kLess},
      {"LessOrEqual", IntegerOp::kLessEqual},
      {"Max", IntegerOp::kMax},
      {"Min", IntegerOp::kMin},
      {"Mul", IntegerOp::kMul},
      {"Neg", IntegerOp::kNeg},
      {"Not", IntegerOp::kNot},
      {"Or", IntegerOp::kOr},
      {"Pow", IntegerOp::kPow},
      {"Sign", IntegerOp::kSign},
      {"Sub", IntegerOp::kSub},
      {"Xor", IntegerOp::kXor},
  };
  if (node.op() == "BitShift") {
    return node.GetString("direction", "") == "LEFT" ? IntegerOp::kShiftLeft
                                                     : IntegerOp::kShiftRight;
  }
  if (node.op() == "Mod") return node.GetInt("fmod", 0) != 0 ? IntegerOp::kFmod : IntegerOp::kMod;
  auto it = operations.find(node.op());
  return it == operations.end() ? std::nullopt : std::optional(it->second);
}

Status EmitInteger(Emitter& emit, IntegerOp op) {
  std::vector<TensorId> inputs;
  for (size_t i = 0; i < emit.node().inputs().size(); ++i) {
    ASSIGN_OR_RETURN(TensorId id, emit.In(i));
    inputs.push_back(id);
  }
  ASSIGN_OR_RETURN(TensorId y, emit.Out(0));
  emit.AddTask(std::move(inputs), {y}).task.attributes["op"] = static_cast<int64_t>(op);
  return OkStatus();
}

}  // namespace

void LowerInteger(const LowerContext& /*context*/, const Node& node,
                  std::vector<Candidate>& candidates) {
  const auto op = OperationOf(node);
  if (!op || node.outputs().size() != 1 || node.epilogue()) return;
  const size_t arity = *op >= IntegerOp::kNeg ? 1 : 2;
  if (node.inputs().size() != arity) return;
  for (const Value* input : node.inputs()) {
    if (!input || input->type().dtype != node.input(0)->type().dtype) return;
  }
  const ElementType type = node.input(0)->type().dtype;
  if (!kernels::SupportsInteger(type) || type == ElementType::kBool) return;
  const auto elements = static_cast<double>(ElementCount(StaticShape(*node.output())));
  Candidate candidate;
  candidate.kernel = "integer";
  candidate.inputs = AllIn(Layout::kPlain, node.inputs().size());
  candidate.outputs = AllIn(Layout::kPlain, 1);
  candidate.cycles = 200 + elements * 2;
  candidate.emit = [op = *op](Emitter& emit) { return EmitInteger(emit, op); };
  candidates.push_back(std::move(candidate));
}

}  // namespace cairn::plan
