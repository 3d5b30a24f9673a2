// SPDX-License-Identifier: Apache-2.0
// Lowers BatchNormalization with constant statistics to x * scale + shift on the element-wise
// engine.
#include <cmath>

#include "plan/emitter.h"
#include "plan/lowerings.h"
#include "schedule/elementwise_program.h"

namespace cairn::plan {
namespace {

/// scale / sqrt(variance + epsilon), and what it makes of the mean and the bias.
struct Affine {
  std::vector<float> scale, shift;
};

Affine FoldStatistics(const Node& node) {
  const Tensor &scale = node.input(1)->constant(), &bias = node.input(2)->constant();
  const Tensor &mean = node.input(3)->constant(), &variance = node.input(4)->constant();
  const double epsilon = node.GetFloat("epsilon", 1e-5f);
  Affine affine;
  for (int64_t c = 0; c < scale.num_elements(); ++c) {
    const double factor = scale.GetDouble(c) / std::sqrt(variance.GetDouble(c) + epsilon);
    affine.scale.push_back(static_cast<float>(factor));
    affine.shift.push_back(static_cast<float>(bias.GetDouble(c) - mean.GetDouble(c) * factor));
  }
  return affine;
}

Status EmitBatchNorm(Emitter& emit) {
  const Node& node = emit.node();
  const Layout layout = emit.candidate().outputs[0];
  const Affine affine = FoldStatistics(node);
  Shape dims(StaticShape(*node.input(0)).size(), 1);
  dims[1] = static_cast<int64_t>(affine.scale.size());
  ASSIGN_OR_RETURN(TensorId x, emit.In(0));
  std::vector<TensorId> inputs = {x};
  for (const auto* values : {&affine.scale, &affine.shift}) {
    const Tensor tensor = Tensor::FromValues<float>(ElementType::kF32, dims, *values);
    ASSIGN_OR_RETURN(TensorId id, emit.ConstantTensor(tensor, layout));
    inputs.push_back(id);
  }
  ASSIGN_OR_RETURN(TensorId y, emit.Out(0));
  DraftTask& task = emit.AddTask(std::move(inputs), {y});
  kernels::EltProgramBuilder builder;
  const auto a = builder.Input(), b = builder.Input(), c = builder.Input();
  builder.Output(builder.Emit(kernels::EltOp::kMulAdd, a, b, c));
  ASSIGN_OR_RETURN(const kernels::EltProgram program, builder.Build());
  schedule::EncodeProgram(program, task.task.attributes);
  task.reusable_inputs = {0};
  return OkStatus();
}

}  // namespace

void LowerBatchNorm(const LowerContext& context, const Node& node,
                    std::vector<Candidate>& candidates) {
  const Value& x = *node.input(0);
  if (x.type().dtype != ElementType::kF32 || x.type().rank() < 2 || node.epilogue() ||
      node.GetInt("training_mode", 0) != 0 || node.output(1)) {
    return;
  }
  for (size_t i = 1; i <= 4; ++i) {
    if (!node.input(i) || !node.input(i)->is_constant() ||
        node.input(i)->type().dtype != ElementType::kF32) {
      return;
    }
  }
  const auto elements = static_cast<double>(ElementCount(StaticShape(x)));
  for (Layout layout : {Layout::kBlocked, Layout::kPlain}) {
    if (layout == Layout::kBlocked && (!CanBlock(x) || x.type().rank() > 5)) continue;
    Candidate candidate;
    candidate.kernel = "elementwise";
    candidate.algorithm = layout == Layout::kBlocked ? "blocked" : "";
    candidate.inputs = AllIn(Layout::kPlain, node.inputs().size());
    candidate.inputs[0] = layout;
    candidate.outputs = AllIn(layout, node.outputs().size());
    candidate.cycles = 300 + elements / context.c0() * 2 + TrafficCycles(context, elements * 8);
    candidate.emit = EmitBatchNorm;
    candidates.push_back(std::move(candidate));
  }
}

}  // namespace cairn::plan
