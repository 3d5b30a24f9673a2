// SPDX-License-Identifier: Apache-2.0
// Kernel `elementwise`: a program over broadcast operands. Attributes: see elementwise_program.h.
// All outputs have the same dims and layout; inputs broadcast to them.
#include "kernels/elementwise/elementwise.h"

#include <algorithm>

#include "kernels/elementwise/tile_ops.h"
#include "schedule/elementwise_program.h"
#include "schedule/kernel_binding.h"
#include "schedule/operands.h"
#include "schedule/strided.h"

namespace cairn::schedule {
namespace {

struct ElementwiseState {
  kernels::EltParams params;
  int num_inputs;
};

int RunElementwiseTask(const void* opaque, void* const* operands, void*, int phase,
                       kernels::Part part) {
  const auto& state = *static_cast<const ElementwiseState*>(opaque);
  kernels::RunElementwise(state.params, {operands, operands + state.num_inputs}, phase, part);
  return kNoFault;
}

Status CheckTensors(const BindContext& context, const kernels::EltProgram& program) {
  RETURN_IF_ERROR(CheckPresent(context, static_cast<size_t>(program.num_inputs),
                               static_cast<size_t>(program.num_outputs)));
  for (size_t i = 0; i < context.num_inputs(); ++i) {
    if (!kernels::IsTileType(context.input(i).dtype)) return context.Invalid("input types");
  }
  for (size_t i = 0; i < context.num_outputs(); ++i) {
    const ProgramTensor& output = context.output(i);
    if (!kernels::IsTileType(output.dtype)) return context.Invalid("output types");
    if (output.layout != context.output(0).layout || output.dims != context.output(0).dims) {
      return context.Invalid("all outputs have the same dims and layout");
    }
  }
  if (context.output(0).layout == Layout::kPacked) return context.Invalid("outputs are not packed");
  return OkStatus();
}

}  // namespace

Result<BoundTask> BindElementwise(const BindContext& context) {
  auto program = DecodeProgram(context.task);
  if (!program.ok()) return context.Invalid(program.status().message());
  RETURN_IF_ERROR(CheckTensors(context, *program));
  const ProgramTensor& output = context.output(0);
  const bool blocked = output.layout == Layout::kBlocked;
  std::vector<int64_t> dims = PhysicalDims(output, context.c0());
  std::vector<std::vector<int64_t>> strides;
  for (size_t i = 0; i < context.num_inputs(); ++i) {
    auto list = BroadcastStrides(context.input(i), output, context.c0());
    if (!list) return context.Invalid(StrCat("input ", i, " broadcasts to the output"));
    strides.push_back(std::move(*list));
  }
  auto own = BroadcastStrides(output, output, context.c0());
  strides.insert(strides.end(), context.num_outputs(), *own);
  if (!blocked) CollapseStrided(dims, strides);
  if (dims.size() > kernels::kEltMaxRank) return context.Invalid("the rank is supported");

  auto state = std::make_shared<ElementwiseState>();
  state->num_inputs = program->num_inputs;
  kernels::EltParams& params = state->params;
  params = {};
  params.isa = context.isa;
  params.program = *program;
  params.rank = static_cast<int32_t>(dims.size());
  std::copy(dims.begin(), dims.end(), params.dims);
  for (size_t i = 0; i < strides.size(); ++i) {
    const bool is_input = i < context.num_inputs();
    kernels::EltOperand& operand =
        is_input ? params.inputs[i] : params.outputs[i - context.num_inputs()];
    operand.type =
        is_input ? context.input(i).dtype : context.output(i - context.num_inputs()).dtype;
    std::copy(strides[i].begin(), strides[i].end(), operand.strides);
  }
  if (blocked && output.dims[1] % context.c0() != 0) {
    params.mask_dim = 1;
    params.mask_channels = output.dims[1];
  }
  kernels::CollapseDims(params);
  return BoundTask{RunElementwiseTask, std::move(state), kernels::ElementwisePhases(params),
                   1 << 16, 0};
}

}  // namespace cairn::schedule
