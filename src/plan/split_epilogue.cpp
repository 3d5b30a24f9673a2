// SPDX-License-Identifier: Apache-2.0
// Element-wise tasks behind kernels.
#include "plan/split_epilogue.h"

#include "schedule/elementwise_program.h"

namespace cairn::plan {
namespace {

using Kind = kernels::EpilogueOperandKind;

/// Beside a blocked result values per channel are blocked too, all others but whole tensors plain.
Layout OperandLayout(Kind kind, Layout result) {
  return kind == Kind::kTensor || kind == Kind::kPerColumn ? result : Layout::kPlain;
}

Result<TensorId> OperandTensor(Emitter& emit, const EpiloguePlan::Operand& operand, Layout result,
                               size_t rank) {
  const Layout layout = OperandLayout(operand.kind, result);
  const EpilogueValue& source = operand.source;
  if (!source.value->is_constant()) {
    return emit.InAs(static_cast<size_t>(source.node_input), layout);
  }
  Tensor tensor = source.value->constant();
  Shape shape = tensor.shape();
  shape.insert(shape.begin(), rank - shape.size(), 1);
  return emit.ConstantTensor(tensor.Reshaped(std::move(shape)), layout);
}

}  // namespace

bool CanSplitProgram(const EpiloguePlan& plan, const Value& result, Layout layout) {
  if (!plan.program) return false;
  for (const auto& operand : plan.operands) {
    // A value of a lower rank has its channels on another axis; a constant can be reshaped.
    if (operand.kind == Kind::kPerColumn && layout == Layout::kBlocked &&
        !operand.source.value->is_constant() &&
        operand.source.value->type().rank() != result.type().rank()) {
      return false;
    }
  }
  return true;
}

EpiloguePlan WithoutProgram(const EpiloguePlan& plan) {
  EpiloguePlan fixed = plan;
  fixed.program.reset();
  fixed.operands.clear();
  fixed.cycles_per_vector = 0;
  return fixed;
}

void SetProgramLayouts(const EpiloguePlan& plan, Layout layout, Candidate& candidate) {
  for (const auto& operand : plan.operands) {
    if (operand.kind == Kind::kResult || operand.source.node_input < 0) continue;
    candidate.inputs[static_cast<size_t>(operand.source.node_input)] =
        OperandLayout(operand.kind, layout);
  }
}

Status EmitProgram(Emitter& emit, const EpiloguePlan& plan, TensorId sums, Layout layout) {
  std::vector<TensorId> inputs;
  std::vector<uint32_t> reusable;
  const size_t rank = StaticShape(*emit.node().output()).size();
  for (const auto& operand : plan.operands) {
    TensorId id = sums;
    if (operand.kind == Kind::kResult) {
      if (kernels::MayAlias(*plan.program, 0, static_cast<int>(inputs.size()))) {
        reusable.push_back(static_cast<uint32_t>(inputs.size()));
      }
    } else {
      ASSIGN_OR_RETURN(id, OperandTensor(emit, operand, layout, rank));
    }
    inputs.push_back(id);
  }
  ASSIGN_OR_RETURN(TensorId y, emit.Out(0));
  DraftTask& task = emit.AddTask("elementwise", std::move(inputs), {y});
  schedule::EncodeProgram(*plan.program, task.task.attributes);
  task.reusable_inputs = std::move(reusable);
  task.cycles = ProgramCycles(
      emit.context(), plan, static_cast<double>(ElementCount(StaticShape(*emit.node().output()))));
  return OkStatus();
}

double ProgramCycles(const LowerContext& context, const EpiloguePlan& plan, double elements) {
  return 300 + elements / context.c0() * (1 + plan.cycles_per_vector) +
         TrafficCycles(context, elements * 8);
}

double HookCycles(const LowerContext& context, const EpiloguePlan& plan, double rows,
                  int64_t columns) {
  if (!plan.program) return 0;
  constexpr double kCyclesPerPartialRow = 150;
  const int64_t c0 = context.c0(), vectors = (columns + c0 - 1) / c0;
  return rows * static_cast<double>(vectors) * plan.cycles_per_vector +
         (columns % c0 != 0 ? rows * kCyclesPerPartialRow : 0.0);
}

}  // namespace cairn::plan
