// SPDX-License-Identifier: Apache-2.0
// What the binders of the convolution kernels share.
#pragma once

#include "kernels/conv/conv.h"
#include "schedule/epilogue.h"
#include "schedule/operands.h"
#include "schedule/window.h"

namespace cairn::schedule {

/// Parameters of a convolution task, all but the size of the packed weights checked. `transposed`:
/// weights are [in, out / group, kernel...], and the result may have any size.
Result<kernels::ConvParams> ReadConvParams(const BindContext& context, bool transposed = false);

/// Rows and columns of a blocked result [N, C, spatial...].
inline EpilogueShape ConvEpilogueShape(const ProgramTensor& result) {
  return {NumElements(result) / result.dims[1], result.dims[1]};
}

using ConvRunFn = void (*)(const kernels::ConvParams&, const kernels::ConvBuffers&, int,
                           kernels::Part);

struct ConvState {
  kernels::ConvParams params;
  BoundEpilogue epilogue;
};

template <ConvRunFn kRun>
int RunConvTask(const void* opaque, void* const* operands, void* scratch, int phase,
                kernels::Part part) {
  const auto& state = *static_cast<const ConvState*>(opaque);
  kernels::ConvBuffers buffers;
  buffers.src = static_cast<const float*>(operands[0]);
  buffers.weights = static_cast<const float*>(operands[1]);
  buffers.bias = state.epilogue.bias(operands);
  buffers.residual = state.epilogue.residual(operands);
  buffers.dst = static_cast<float*>(operands[state.epilogue.num_task_inputs()]);
  buffers.workspace = scratch;
  RunWithEpilogue(state.epilogue, state.params, operands, buffers.dst,
                  [&](const kernels::ConvParams& params) { kRun(params, buffers, phase, part); });
  return kNoFault;
}

/// Checks the packed weights and the epilogue of a convolution task and completes it.
template <ConvRunFn kRun>
Result<BoundTask> BindConvTask(const BindContext& context, const kernels::ConvParams& params,
                               int64_t packed_floats, int phases, size_t scratch_bytes) {
  if (!IsPacked(context.input(1), packed_floats)) {
    return context.Invalid("packed weights have their size");
  }
  auto state = std::make_shared<ConvState>();
  state->params = params;
  ASSIGN_OR_RETURN(state->epilogue,
                   BoundEpilogue::Bind(context, 2, ConvEpilogueShape(context.output(0))));
  return BoundTask{RunConvTask<kRun>, std::move(state), phases, MostParts(context), scratch_bytes};
}

}  // namespace cairn::schedule
