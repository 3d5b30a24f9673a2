// SPDX-License-Identifier: Apache-2.0
// Checks and prepares epilogues.
#include "schedule/epilogue.h"

#include "schedule/elementwise_program.h"
#include "schedule/operands.h"

namespace cairn::schedule {
namespace {

using Kind = kernels::EpilogueOperandKind;

Status CheckOperand(const BindContext& context, size_t index, Kind kind, EpilogueShape shape) {
  if (!context.has_input(index)) return context.Invalid("operands of the epilogue are present");
  const ProgramTensor& operand = context.input(index);
  const ProgramTensor& result = context.output(0);
  if (kind == Kind::kTensor) {
    if (Is(operand, ElementType::kF32, result.layout) && operand.dims == result.dims) {
      return OkStatus();
    }
    return context.Invalid("tensors of the epilogue are like the result");
  }
  const int64_t count = kind == Kind::kScalar      ? 1
                        : kind == Kind::kPerColumn ? shape.cols
                                                   : shape.rows;
  if (!IsPlainF32(operand) || NumElements(operand) != count) {
    return context.Invalid(StrCat("an operand of the epilogue has ", count, " elements"));
  }
  return OkStatus();
}

Status BindActivation(const BindContext& context, kernels::Epilogue& epilogue) {
  const int64_t activation = context.task.GetInt("activation", 0);
  if (activation < 0 || activation > static_cast<int64_t>(kernels::Activation::kHardSwish)) {
    return context.Invalid("the activation is known");
  }
  epilogue.activation = static_cast<kernels::Activation>(activation);
  if (auto it = context.task.attributes.find("clip"); it != context.task.attributes.end()) {
    const auto* clip = std::get_if<std::vector<double>>(&it->second);
    if (!clip || clip->size() != 2) return context.Invalid("clip has two numbers");
    epilogue.clip_low = static_cast<float>((*clip)[0]);
    epilogue.clip_high = static_cast<float>((*clip)[1]);
  }
  return OkStatus();
}

}  // namespace

Result<BoundEpilogue> BoundEpilogue::Bind(const BindContext& context, size_t num_inputs,
                                          EpilogueShape shape) {
  BoundEpilogue bound;
  bound.num_task_inputs_ = context.num_inputs();
  RETURN_IF_ERROR(BindActivation(context, bound.fixed_));
  const int64_t padded_cols = (shape.cols + context.c0() - 1) / context.c0() * context.c0();
  size_t next = num_inputs;
  if (context.has_input(next)) {
    const ProgramTensor& bias = context.input(next);
    if (!IsPlainF32(bias) || NumElements(bias) != padded_cols) {
      return context.Invalid(StrCat("the bias has ", padded_cols, " elements"));
    }
    bound.bias_ = static_cast<int>(next);
  }
  ++next;
  if (context.has_input(next)) {
    RETURN_IF_ERROR(CheckOperand(context, next, Kind::kTensor, shape));
    bound.residual_ = static_cast<int>(next);
  }
  ++next;
  if (context.task.attributes.find("program") == context.task.attributes.end()) return bound;

  auto program = DecodeProgram(context.task);
  if (!program.ok()) return context.Invalid(program.status().message());
  if (program->num_outputs != 1) return context.Invalid("an epilogue has one output");
  const std::vector<int64_t> kinds = context.task.GetInts("operand_kinds");
  if (kinds.size() != static_cast<size_t>(program->num_inputs)) {
    return context.Invalid("there is a kind for each operand of the epilogue");
  }
  for (size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] < 0 || kinds[i] > static_cast<int64_t>(Kind::kTensor)) {
      return context.Invalid("kinds of operands are known");
    }
    bound.kinds_[i] = static_cast<Kind>(kinds[i]);
    bound.operands_[i] = -1;
    if (bound.kinds_[i] == Kind::kResult) continue;
    RETURN_IF_ERROR(CheckOperand(context, next, bound.kinds_[i], shape));
    bound.operands_[i] = static_cast<int>(next++);
  }
  bound.program_ = *program;
  bound.has_program_ = true;
  return bound;
}

kernels::EpilogueProgram BoundEpilogue::MakeContext(kernels::Isa isa, void* const* operands,
                                                    const float* result) const {
  kernels::EpilogueOperand list[kernels::kEltMaxInputs];
  for (int i = 0; i < program_.num_inputs; ++i) {
    list[i] = {kinds_[static_cast<size_t>(i)], At(operands, operands_[static_cast<size_t>(i)])};
  }
  return kernels::MakeEpilogueProgram(isa, program_, list, result);
}

}  // namespace cairn::schedule
