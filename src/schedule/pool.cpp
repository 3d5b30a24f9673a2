// SPDX-License-Identifier: Apache-2.0
// Kernel `pool_f32`: max and average pooling, plain or blocked. Attributes: those of a window,
// `average`, `count_include_pad`, `ceil_mode`.
#include "kernels/pool/pool.h"

#include "schedule/operands.h"
#include "schedule/window.h"

namespace cairn::schedule {
namespace {

int RunPoolTask(const void* opaque, void* const* operands, void*, int phase, kernels::Part part) {
  const auto& params = *static_cast<const kernels::PoolParams*>(opaque);
  kernels::RunPool(params,
                   {static_cast<const float*>(operands[0]), static_cast<float*>(operands[1])},
                   phase, part);
  return kNoFault;
}

}  // namespace

Result<BoundTask> BindPool(const BindContext& context) {
  RETURN_IF_ERROR(CheckPresent(context, 1, 1));
  const ProgramTensor &src = context.input(0), &dst = context.output(0);
  if (src.dtype != ElementType::kF32 || dst.dtype != ElementType::kF32 ||
      src.layout != dst.layout || src.layout == Layout::kPacked) {
    return context.Invalid("source and result are f32 of the same layout");
  }
  ASSIGN_OR_RETURN(const Window window, ReadWindow(context, src, nullptr));
  if (dst.dims.size() != src.dims.size() || dst.dims[0] != src.dims[0] ||
      dst.dims[1] != src.dims[1]) {
    return context.Invalid("source and result agree in batch and channels");
  }
  const bool ceil_mode = context.task.GetInt("ceil_mode", 0) != 0;
  kernels::PoolParams params{};
  params.isa = context.isa;
  params.kind = context.task.GetInt("average", 0) != 0 ? kernels::PoolKind::kAverage
                                                       : kernels::PoolKind::kMax;
  params.blocked = src.layout == Layout::kBlocked;
  params.count_include_pad = context.task.GetInt("count_include_pad", 0) != 0;
  params.batch = src.dims[0];
  params.channels = src.dims[1];
  params.in = SpatialDims(src);
  params.out = SpatialDims(dst);
  params.kernel = window.kernel;
  params.stride = window.stride;
  params.dilation = window.dilation;
  params.pad_begin = window.pad_begin;
  params.pad_end = window.pad_end;
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<size_t>(axis);
    if (params.out[i] != window.OutputSize(axis, params.in[i], ceil_mode)) {
      return context.Invalid("the result has the size that window and source give");
    }
  }
  const int phases = kernels::PoolPhases(params);
  return BoundTask{RunPoolTask, std::make_shared<kernels::PoolParams>(params), phases, 1 << 16, 0};
}

}  // namespace cairn::schedule
