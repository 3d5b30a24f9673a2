// SPDX-License-Identifier: Apache-2.0
// Validation, aliasing and register assignment of element-wise programs.
#include "kernels/elementwise/program.h"

#include <algorithm>
#include <bit>
#include <bitset>

namespace cairn::kernels {

int EltOpArity(EltOp op) {
  switch (op) {
    case EltOp::kMulAdd:
    case EltOp::kClip:
    case EltOp::kHardSigmoid:
    case EltOp::kSelu:
    case EltOp::kWhere:
      return 3;
    case EltOp::kAdd:
    case EltOp::kSub:
    case EltOp::kMul:
    case EltOp::kDiv:
    case EltOp::kMin:
    case EltOp::kMax:
    case EltOp::kPow:
    case EltOp::kLeakyRelu:
    case EltOp::kElu:
    case EltOp::kCelu:
    case EltOp::kThresholdedRelu:
    case EltOp::kEqual:
    case EltOp::kNotEqual:
    case EltOp::kLess:
    case EltOp::kLessEqual:
    case EltOp::kGreater:
    case EltOp::kGreaterEqual:
    case EltOp::kAnd:
    case EltOp::kOr:
    case EltOp::kXor:
      return 2;
    default:
      return 1;
  }
}

Status ValidateProgram(const EltProgram& p) {
  const auto bad = [](auto... what) {
    return Status(Code::kDataCorrupt, StrCat("element-wise program: ", what...));
  };
  if (p.num_inputs < 0 || p.num_inputs > kEltMaxInputs) return bad(p.num_inputs, " inputs");
  if (p.num_outputs < 1 || p.num_outputs > kEltMaxOutputs) return bad(p.num_outputs, " outputs");
  if (p.num_constants < 0 || p.num_constants > kEltMaxConstants) {
    return bad(p.num_constants, " constants");
  }
  if (p.num_instructions < 0 || p.num_instructions > kEltMaxInstructions) {
    return bad(p.num_instructions, " instructions");
  }
  std::bitset<kEltNumValues> known;
  for (int i = 0; i < p.num_inputs; ++i) known.set(i);
  for (int i = 0; i < p.num_constants; ++i) known.set(kEltConstant0 + i);
  std::array<int, kEltNumValues> writes{};
  for (int i = 0; i < p.num_instructions; ++i) {
    const EltInstruction& code = p.code[i];
    if (code.op >= EltOp::kCount) return bad("instruction ", i, " has an unknown operation");
    const uint8_t args[3] = {code.a, code.b, code.c};
    for (int k = 0; k < EltOpArity(code.op); ++k) {
      if (args[k] >= kEltNumValues || !known.test(args[k])) {
        return bad("instruction ", i, " reads undefined value ", int{args[k]});
      }
    }
    if (code.dst < kEltTemp0 || code.dst >= kEltNumValues) {
      return bad("instruction ", i, " writes value ", int{code.dst}, ", not a temporary");
    }
    known.set(code.dst);
    ++writes[code.dst];
  }
  for (int i = 0; i < p.num_outputs; ++i) {
    const uint8_t value = p.outputs[i];
    if (value >= kEltNumValues || !known.test(value)) return bad("output ", i, " is undefined");
    if (value >= kEltTemp0 && writes[value] != 1) return bad("output ", i, " is overwritten");
    for (int j = 0; j < i; ++j) {
      if (value >= kEltTemp0 && value == p.outputs[j]) return bad("output ", i, " is a duplicate");
    }
  }
  return OkStatus();
}

bool MayAlias(const EltProgram& p, int output, int input) {
  const uint8_t value = p.outputs[output];
  for (int i = 0; i < p.num_outputs; ++i) {
    if (i != output && p.outputs[i] == input) return false;
  }
  if (value < kEltTemp0) return value == input;
  int i = 0;
  while (i < p.num_instructions && p.code[i].dst != value) ++i;
  for (++i; i < p.num_instructions; ++i) {
    const uint8_t args[3] = {p.code[i].a, p.code[i].b, p.code[i].c};
    const int arity = EltOpArity(p.code[i].op);
    if (std::find(args, args + arity, input) != args + arity) return false;
  }
  return true;
}

EltProgramBuilder::Value EltProgramBuilder::Input() {
  nodes_.push_back({.kind = Kind::kInput, .index = num_inputs_++});
  return static_cast<Value>(nodes_.size()) - 1;
}

EltProgramBuilder::Value EltProgramBuilder::Constant(float value) {
  const auto same = [&](float c) {
    return std::bit_cast<int32_t>(c) == std::bit_cast<int32_t>(value);
  };
  const auto found = std::find_if(constants_.begin(), constants_.end(), same);
  const int index = static_cast<int>(found - constants_.begin());
  if (found == constants_.end()) constants_.push_back(value);
  nodes_.push_back({.kind = Kind::kConstant, .index = index});
  return static_cast<Value>(nodes_.size()) - 1;
}

EltProgramBuilder::Value EltProgramBuilder::Emit(EltOp op, Value a, Value b, Value c) {
  Node node{.kind = Kind::kResult, .op = op, .args = {a, b, c}};
  for (int k = 0; k < EltOpArity(op); ++k) {
    CAIRN_CHECK(node.args[k] >= 0 && node.args[k] < static_cast<Value>(nodes_.size()),
                "an argument must be a value emitted before");
  }
  nodes_.push_back(node);
  return static_cast<Value>(nodes_.size()) - 1;
}

void EltProgramBuilder::Output(Value value) { outputs_.push_back(value); }

Result<EltProgram> EltProgramBuilder::Build() const {
  EltProgram p{};
  const auto limit = [](const char* what, size_t count, size_t max) {
    return count <= max ? OkStatus()
                        : Status(Code::kUnsupported, StrCat("element-wise program: ", count, " ",
                                                            what, ", at most ", max));
  };
  RETURN_IF_ERROR(limit("inputs", num_inputs_, kEltMaxInputs));
  RETURN_IF_ERROR(limit("outputs", outputs_.size(), kEltMaxOutputs));
  RETURN_IF_ERROR(limit("constants", constants_.size(), kEltMaxConstants));
  p.num_inputs = num_inputs_;
  p.num_outputs = static_cast<int>(outputs_.size());
  p.num_constants = static_cast<int>(constants_.size());
  std::copy(constants_.begin(), constants_.end(), p.constants.begin());

  const int count = static_cast<int>(nodes_.size());
  std::vector<int> last_use(count, -1);
  for (int i = 0; i < count; ++i) {
    if (nodes_[i].kind != Kind::kResult) continue;
    for (int k = 0; k < EltOpArity(nodes_[i].op); ++k) last_use[nodes_[i].args[k]] = i;
  }
  std::vector<bool> is_output(count, false);
  for (Value v : outputs_) is_output[v] = true;

  // Linear scan. Outputs keep a register of their own, since it may be the output's memory.
  std::vector<uint8_t> place(count, 0);
  std::vector<int> free;
  int num_temps = 0;
  for (int i = 0; i < count; ++i) {
    const Node& node = nodes_[i];
    if (node.kind == Kind::kInput) place[i] = static_cast<uint8_t>(node.index);
    if (node.kind == Kind::kConstant) place[i] = static_cast<uint8_t>(kEltConstant0 + node.index);
    if (node.kind != Kind::kResult || (last_use[i] < 0 && !is_output[i])) continue;
    const int arity = EltOpArity(node.op);
    uint8_t args[3] = {0, 0, 0};
    for (int k = 0; k < arity; ++k) {
      const Value v = node.args[k];
      args[k] = place[v];
      const bool seen = std::find(node.args, node.args + k, v) != node.args + k;
      if (nodes_[v].kind == Kind::kResult && last_use[v] == i && !is_output[v] && !seen) {
        free.push_back(place[v]);
      }
    }
    if (!is_output[i] && !free.empty()) {
      place[i] = static_cast<uint8_t>(free.back());
      free.pop_back();
    } else {
      RETURN_IF_ERROR(limit("live temporaries", num_temps + 1, kEltMaxTemps));
      place[i] = static_cast<uint8_t>(kEltTemp0 + num_temps++);
    }
    RETURN_IF_ERROR(limit("instructions", p.num_instructions + 1, kEltMaxInstructions));
    p.code[p.num_instructions++] = {node.op, place[i], args[0], args[1], args[2]};
  }
  for (int i = 0; i < p.num_outputs; ++i) {
    p.outputs[i] = place[outputs_[i]];
    // A value that is two outputs is copied for the second.
    if (std::find(p.outputs.begin(), p.outputs.begin() + i, p.outputs[i]) !=
            p.outputs.begin() + i &&
        p.outputs[i] >= kEltTemp0) {
      RETURN_IF_ERROR(limit("live temporaries", num_temps + 1, kEltMaxTemps));
      RETURN_IF_ERROR(limit("instructions", p.num_instructions + 1, kEltMaxInstructions));
      const auto copy = static_cast<uint8_t>(kEltTemp0 + num_temps++);
      p.code[p.num_instructions++] = {EltOp::kCopy, copy, p.outputs[i], 0, 0};
      p.outputs[i] = copy;
    }
  }
  RETURN_IF_ERROR(ValidateProgram(p));
  return p;
}

}  // namespace cairn::kernels
