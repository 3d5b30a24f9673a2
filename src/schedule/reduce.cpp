// SPDX-License-Identifier: Apache-2.0
// Kernels `reduce_f32` and `arg_extreme_f32`: reductions over axes, positions of extremes.
#include "kernels/reduce/reduce.h"

#include <algorithm>

#include "schedule/operands.h"
#include "schedule/strided.h"

namespace cairn::schedule {
namespace {

struct KindName {
  const char* name;
  kernels::ReduceKind kind;
};
constexpr KindName kKinds[] = {
    {"sum", kernels::ReduceKind::kSum},        {"mean", kernels::ReduceKind::kMean},
    {"max", kernels::ReduceKind::kMax},        {"min", kernels::ReduceKind::kMin},
    {"prod", kernels::ReduceKind::kProd},      {"l1", kernels::ReduceKind::kL1},
    {"l2", kernels::ReduceKind::kL2},          {"sum_square", kernels::ReduceKind::kSumSquare},
    {"log_sum", kernels::ReduceKind::kLogSum}, {"log_sum_exp", kernels::ReduceKind::kLogSumExp},
};

int RunReduceTask(const void* opaque, void* const* operands, void*, int phase, kernels::Part part) {
  const auto& params = *static_cast<const kernels::ReduceParams*>(opaque);
  kernels::RunReduce(params,
                     {static_cast<const float*>(operands[0]), static_cast<float*>(operands[1])},
                     phase, part);
  return kNoFault;
}

/// Merges neighbouring axes that are alike, so that the rank stays within the kernel's.
Status SetDims(const BindContext& context, const std::vector<int64_t>& dims,
               const std::vector<bool>& reduced, kernels::ReduceParams& params) {
  params.rank = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 1) continue;
    const auto last = static_cast<size_t>(params.rank - 1);
    if (params.rank > 0 && params.reduced[last] == reduced[i]) {
      params.dims[last] *= dims[i];
      continue;
    }
    if (params.rank == kernels::kReduceMaxRank) return context.Invalid("few axes alternate");
    params.dims[static_cast<size_t>(params.rank)] = dims[i];
    params.reduced[static_cast<size_t>(params.rank)] = reduced[i];
    ++params.rank;
  }
  if (params.rank == 0) {
    params.rank = 1;
    params.dims[0] = 1;
    params.reduced[0] = true;
  }
  return OkStatus();
}

int RunArgExtremeTask(const void* opaque, void* const* operands, void*, int phase,
                      kernels::Part part) {
  const auto& params = *static_cast<const kernels::ArgExtremeParams*>(opaque);
  kernels::RunArgExtreme(
      params, {static_cast<const float*>(operands[0]), static_cast<int64_t*>(operands[1])}, phase,
      part);
  return kNoFault;
}

}  // namespace

/// Attributes: `kind` (see kKinds), `axes`. Plain: the result has one element per combination of
/// the other axes. Blocked: all spatial axes of [N, C, spatial...], the result is blocked [N,
/// C, 1...].
Result<BoundTask> BindReduce(const BindContext& context) {
  RETURN_IF_ERROR(CheckPresent(context, 1, 1));
  const ProgramTensor &src = context.input(0), &dst = context.output(0);
  if (src.dtype != ElementType::kF32 || dst.dtype != ElementType::kF32 ||
      src.layout != dst.layout || src.layout == Layout::kPacked) {
    return context.Invalid("source and result are f32 of the same layout");
  }
  kernels::ReduceParams params{};
  params.isa = context.isa;
  const std::string name = context.task.GetString("kind", "");
  const auto* kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                  [&](const KindName& entry) { return name == entry.name; });
  if (kind == std::end(kKinds)) return context.Invalid("the kind of reduction is known");
  params.kind = kind->kind;
  std::vector<bool> reduced(src.dims.size(), false);
  for (int64_t axis : context.task.GetInts("axes")) {
    const auto at = NormalAxis(axis, src.dims.size());
    if (!at) return context.Invalid("axes are those of the source");
    reduced[*at] = true;
  }
  std::vector<int64_t> dims = PhysicalDims(src, context.c0());
  if (src.layout == Layout::kBlocked) {
    for (size_t i = 0; i < reduced.size(); ++i) {
      if (reduced[i] != (i >= 2)) return context.Invalid("blocked: all spatial axes are reduced");
      if (i < 2 && (i >= dst.dims.size() || dst.dims[i] != src.dims[i])) {
        return context.Invalid("blocked: batch and channels stay");
      }
    }
    if (name == "log_sum" || name == "log_sum_exp") {
      return context.Invalid("blocked: lanes without a channel stay 0");
    }
    reduced.push_back(false);
  }
  int64_t kept = 1;
  for (size_t i = 0; i < src.dims.size(); ++i) kept *= reduced[i] ? 1 : src.dims[i];
  if (NumElements(dst) != kept) return context.Invalid("the result has the axes that remain");
  RETURN_IF_ERROR(SetDims(context, dims, reduced, params));
  const int phases = kernels::ReducePhases(params);
  return BoundTask{RunReduceTask, std::make_shared<kernels::ReduceParams>(params), phases, 1 << 16,
                   0};
}

/// Attributes: `axis`, `greatest`, `last_of_equals`. The result is i64 with the axis dropped or 1.
Result<BoundTask> BindArgExtreme(const BindContext& context) {
  RETURN_IF_ERROR(CheckPresent(context, 1, 1));
  const ProgramTensor &src = context.input(0), &dst = context.output(0);
  if (!IsPlainF32(src) || !Is(dst, ElementType::kI64, Layout::kPlain)) {
    return context.Invalid("the source is plain f32, the result plain i64");
  }
  const auto axis = NormalAxis(context.task.GetInt("axis", 0), src.dims.size());
  if (!axis) return context.Invalid("the axis is one of the source");
  kernels::ArgExtremeParams params{};
  params.greatest = context.task.GetInt("greatest", 1) != 0;
  params.last_of_equals = context.task.GetInt("last_of_equals", 0) != 0;
  params.outer = params.inner = 1;
  for (size_t i = 0; i < src.dims.size(); ++i) {
    if (i < *axis) params.outer *= src.dims[i];
    if (i > *axis) params.inner *= src.dims[i];
  }
  params.axis = src.dims[*axis];
  if (NumElements(dst) != params.outer * params.inner) {
    return context.Invalid("the result has the axes that remain");
  }
  const int phases = kernels::ArgExtremePhases(params);
  return BoundTask{RunArgExtremeTask, std::make_shared<kernels::ArgExtremeParams>(params), phases,
                   1 << 16, 0};
}

}  // namespace cairn::schedule
