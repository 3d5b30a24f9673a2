// SPDX-License-Identifier: Apache-2.0
// Kernels `norm_f32` (layer, RMS, instance and group normalisation) and `lrn_f32`.
#include "kernels/norm/norm.h"

#include "schedule/operands.h"

namespace cairn::schedule {
namespace {

struct NormState {
  kernels::NormParams params;
  size_t num_inputs;
  size_t num_outputs;
};

int RunNormTask(const void* opaque, void* const* operands, void*, int phase, kernels::Part part) {
  const auto& state = *static_cast<const NormState*>(opaque);
  auto input = [&](size_t i) {
    return i < state.num_inputs ? static_cast<const float*>(operands[i]) : nullptr;
  };
  auto output = [&](size_t i) {
    return i < state.num_outputs ? static_cast<float*>(operands[state.num_inputs + i]) : nullptr;
  };
  const kernels::NormBuffers buffers = {input(0),  input(3),  input(1),  input(2),
                                        output(0), output(3), output(1), output(2)};
  kernels::RunNorm(state.params, buffers, phase, part);
  return kNoFault;
}

bool HasElements(const BindContext& context, size_t input, int64_t count) {
  return !context.has_input(input) ||
         (IsPlainF32(context.input(input)) && NumElements(context.input(input)) == count);
}

int RunLrnTask(const void* opaque, void* const* operands, void*, int phase, kernels::Part part) {
  const auto& params = *static_cast<const kernels::LrnParams*>(opaque);
  kernels::RunLrn(params,
                  {static_cast<const float*>(operands[0]), static_cast<float*>(operands[1])}, phase,
                  part);
  return kNoFault;
}

}  // namespace

/// Inputs: source, scale, bias, residual; all but the first optional. Outputs: result, mean,
/// inverse deviation, sum of source and residual; all but the first optional, the last present with
/// a residual. Attributes: `rows`, `rms`, `epsilon`; `spans`, `row_period` as in
/// kernels::NormParams.
Result<BoundTask> BindNorm(const BindContext& context) {
  if (context.num_inputs() < 1 || context.num_inputs() > 4 || context.num_outputs() < 1 ||
      context.num_outputs() > 4 || !context.has_input(0) || !context.has_output(0)) {
    return context.Invalid("there are one to four inputs and outputs");
  }
  const ProgramTensor &src = context.input(0), &dst = context.output(0);
  if (!IsPlainF32(src) || !IsPlainF32(dst) || !NotEmpty(src) || src.dims != dst.dims) {
    return context.Invalid("source and result are plain f32 with the same dims");
  }
  auto state = std::make_shared<NormState>();
  state->num_inputs = context.num_inputs();
  state->num_outputs = context.num_outputs();
  kernels::NormParams& params = state->params;
  params.isa = context.isa;
  params.kind = context.task.GetInt("rms", 0) != 0 ? kernels::NormKind::kRms
                                                   : kernels::NormKind::kMeanVariance;
  params.epsilon = static_cast<float>(context.task.GetDouble("epsilon", 1e-5));
  params.rows = context.task.GetInt("rows", 1);
  const int64_t count = NumElements(src);
  if (params.rows < 1 || count % params.rows != 0) return context.Invalid("rows divide the source");
  params.size = count / params.rows;
  params.spans = context.task.GetInt("spans", 0);
  params.row_period = context.task.GetInt("row_period", 1);
  int64_t num_scales = params.size;
  if (params.spans != 0) {
    if (params.spans < 1 || params.size % params.spans != 0 || params.row_period < 1 ||
        params.row_period > params.rows) {
      return context.Invalid("spans divide a row, and the row period is positive");
    }
    num_scales = params.spans * params.row_period;
  }
  const bool residual = context.has_input(3);
  if (!HasElements(context, 1, num_scales) || !HasElements(context, 2, num_scales) ||
      !HasElements(context, 3, count)) {
    return context.Invalid("scale, bias and residual have their sizes");
  }
  if (residual != context.has_output(3))
    return context.Invalid("a residual and its sum go together");
  for (size_t i = 1; i < 4; ++i) {
    if (!context.has_output(i)) continue;
    if (!IsPlainF32(context.output(i)) ||
        NumElements(context.output(i)) != (i == 3 ? count : params.rows)) {
      return context.Invalid("further results have their sizes");
    }
  }
  const int phases = kernels::NormPhases(params);
  return BoundTask{RunNormTask, std::move(state), phases, 1 << 16, 0};
}

/// Attributes: `size`, `alpha`, `beta`, `bias`.
Result<BoundTask> BindLrn(const BindContext& context) {
  RETURN_IF_ERROR(CheckPresent(context, 1, 1));
  const ProgramTensor &src = context.input(0), &dst = context.output(0);
  if (!IsPlainF32(src) || !IsPlainF32(dst) || src.dims != dst.dims || src.dims.size() < 2) {
    return context.Invalid("source and result are plain f32 [N, C, ...] with the same dims");
  }
  kernels::LrnParams params{};
  params.isa = context.isa;
  params.batch = src.dims[0];
  params.channels = src.dims[1];
  params.pixels = NumElements(src) / (params.batch * params.channels);
  params.size = context.task.GetInt("size", 1);
  params.alpha = static_cast<float>(context.task.GetDouble("alpha", 1e-4));
  params.beta = static_cast<float>(context.task.GetDouble("beta", 0.75));
  params.bias = static_cast<float>(context.task.GetDouble("bias", 1));
  if (params.size < 1 || params.size > (1 << 24)) return context.Invalid("the size is positive");
  const int phases = kernels::LrnPhases(params);
  return BoundTask{RunLrnTask, std::make_shared<kernels::LrnParams>(params), phases, 1 << 16, 0};
}

}  // namespace cairn::schedule
