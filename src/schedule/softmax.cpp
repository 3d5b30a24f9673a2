// SPDX-License-Identifier: Apache-2.0
// Kernel `softmax_f32`: softmax over one axis. Attributes: `axis`, `log`.
#include "kernels/softmax/softmax.h"

#include "schedule/operands.h"

namespace cairn::schedule {
namespace {

int RunSoftmaxTask(const void* opaque, void* const* operands, void*, int phase,
                   kernels::Part part) {
  const auto& params = *static_cast<const kernels::SoftmaxParams*>(opaque);
  kernels::RunSoftmax(params,
                      {static_cast<const float*>(operands[0]), static_cast<float*>(operands[1])},
                      phase, part);
  return kNoFault;
}

}  // namespace

Result<BoundTask> BindSoftmax(const BindContext& context) {
  RETURN_IF_ERROR(CheckPresent(context, 1, 1));
  const ProgramTensor &src = context.input(0), &dst = context.output(0);
  if (!IsPlainF32(src) || !IsPlainF32(dst) || src.dims != dst.dims) {
    return context.Invalid("source and result are plain f32 with the same dims");
  }
  const auto axis = NormalAxis(context.task.GetInt("axis", -1), src.dims.size());
  if (!axis) return context.Invalid("the axis is one of the source");
  kernels::SoftmaxParams params{context.isa, context.task.GetInt("log", 0) != 0, 1, src.dims[*axis],
                                1};
  for (size_t i = 0; i < src.dims.size(); ++i) {
    if (i < *axis) params.outer *= src.dims[i];
    if (i > *axis) params.inner *= src.dims[i];
  }
  const int phases = kernels::SoftmaxPhases(params);
  return BoundTask{RunSoftmaxTask, std::make_shared<kernels::SoftmaxParams>(params), phases,
                   1 << 16, 0};
}

}  // namespace cairn::schedule
