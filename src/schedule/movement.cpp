// SPDX-License-Identifier: Apache-2.0
// Kernels `strided_copy`, `pad`, `where` and `cast`: elements of any type are moved or converted.
#include <algorithm>

#include "kernels/movement/cast.h"
#include "kernels/movement/pad.h"
#include "kernels/movement/select.h"
#include "kernels/movement/strided_copy.h"
#include "schedule/operands.h"
#include "schedule/strided.h"

namespace cairn::schedule {
namespace {

int RunStridedCopyTask(const void* opaque, void* const* operands, void*, int phase,
                       kernels::Part part) {
  const auto& params = *static_cast<const kernels::StridedCopyParams*>(opaque);
  kernels::RunStridedCopy(params, {operands[0], operands[1]}, phase, part);
  return kNoFault;
}

/// True when offset + sum(i[d] * strides[d]) stays in [0, size) for all i < dims.
bool StaysInside(int64_t offset, const std::vector<int64_t>& dims,
                 const std::vector<int64_t>& strides, int64_t size) {
  int64_t least = offset, most = offset;
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t reach = 0;
    if (__builtin_mul_overflow(dims[i] - 1, strides[i], &reach)) return false;
    int64_t& end = reach < 0 ? least : most;
    if (__builtin_add_overflow(end, reach, &end)) return false;
  }
  return least >= 0 && most < size;
}

struct PadState {
  kernels::PadParams params;
  bool has_value;
};

int RunPadTask(const void* opaque, void* const* operands, void*, int phase, kernels::Part part) {
  const auto& state = *static_cast<const PadState*>(opaque);
  kernels::RunPad(
      state.params,
      {operands[0], state.has_value ? operands[1] : nullptr, operands[state.has_value ? 2 : 1]},
      phase, part);
  return kNoFault;
}

int RunWhereTask(const void* opaque, void* const* operands, void*, int phase, kernels::Part part) {
  const auto& params = *static_cast<const kernels::WhereParams*>(opaque);
  kernels::RunWhere(
      params, {static_cast<const uint8_t*>(operands[0]), operands[1], operands[2], operands[3]},
      phase, part);
  return kNoFault;
}

int RunCastTask(const void* opaque, void* const* operands, void*, int phase, kernels::Part part) {
  const auto& params = *static_cast<const kernels::CastParams*>(opaque);
  kernels::RunCast(params, {operands[0], operands[1]}, phase, part);
  return kNoFault;
}

}  // namespace

/// Attributes: `dims`, and `dst_strides`, `src_strides`, `dst_offset`, `src_offset` in elements of
/// the operands' bytes, whatever their layout. A task may write a part of its output.
Result<BoundTask> BindStridedCopy(const BindContext& context) {
  RETURN_IF_ERROR(CheckPresent(context, 1, 1));
  const ProgramTensor &src = context.input(0), &dst = context.output(0);
  const auto bytes = MovableBytes(src.dtype);
  if (!bytes || src.dtype != dst.dtype || src.layout == Layout::kPacked ||
      dst.layout == Layout::kPacked) {
    return context.Invalid("source and result have the same type of whole bytes");
  }
  const std::vector<int64_t> dims = context.task.GetInts("dims");
  const std::vector<int64_t> dst_strides = context.task.GetInts("dst_strides");
  const std::vector<int64_t> src_strides = context.task.GetInts("src_strides");
  if (dims.size() > kernels::kMaxNdRank || dst_strides.size() != dims.size() ||
      src_strides.size() != dims.size()) {
    return context.Invalid("there is a stride for each of at most eight axes");
  }
  if (std::any_of(dims.begin(), dims.end(), [](int64_t dim) { return dim < 1; })) {
    return context.Invalid("extents are positive");
  }
  auto params = std::make_shared<kernels::StridedCopyParams>();
  params->isa = context.isa;
  params->element_bytes = *bytes;
  params->dst_offset = context.task.GetInt("dst_offset", 0);
  params->src_offset = context.task.GetInt("src_offset", 0);
  if (!StaysInside(params->dst_offset, dims, dst_strides,
                   static_cast<int64_t>(dst.bytes) / *bytes) ||
      !StaysInside(params->src_offset, dims, src_strides,
                   static_cast<int64_t>(src.bytes) / *bytes)) {
    return context.Invalid("the copy stays inside source and result");
  }
  params->shape.rank = static_cast<int32_t>(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    params->shape.dims[i] = dims[i];
    params->shape.strides[0][i] = dst_strides[i];
    params->shape.strides[1][i] = src_strides[i];
  }
  params->shape.Collapse();
  const int phases = kernels::StridedCopyPhases(*params);
  return BoundTask{RunStridedCopyTask, std::move(params), phases, 1 << 16, 0};
}

/// Inputs: source, value (optional, one element). Attributes: `mode`, `begin` in the index space of
/// the operands' layout; the ends follow from the result's dims.
Result<BoundTask> BindPad(const BindContext& context) {
  const size_t num_inputs = context.num_inputs();
  if (num_inputs != 1 && num_inputs != 2) return context.Invalid("there are one or two inputs");
  RETURN_IF_ERROR(CheckPresent(context, num_inputs, 1));
  const ProgramTensor &src = context.input(0), &dst = context.output(0);
  const auto bytes = MovableBytes(src.dtype);
  if (!bytes || src.dtype != dst.dtype || src.layout != dst.layout ||
      src.layout == Layout::kPacked) {
    return context.Invalid(
        "source and result have the same type of whole bytes and the same layout");
  }
  auto state = std::make_shared<PadState>();
  state->has_value = num_inputs == 2;
  if (state->has_value &&
      (!Is(context.input(1), src.dtype, Layout::kPlain) || NumElements(context.input(1)) != 1)) {
    return context.Invalid("the value is one element of the source's type");
  }
  const std::vector<int64_t> src_dims = PhysicalDims(src, context.c0());
  const std::vector<int64_t> dst_dims = PhysicalDims(dst, context.c0());
  const std::vector<int64_t> begin = context.task.GetInts("begin");
  const int64_t mode = context.task.GetInt("mode", 0);
  if (src_dims.size() != dst_dims.size() || begin.size() != src_dims.size() ||
      src_dims.size() > kernels::kMaxNdRank) {
    return context.Invalid("there is a begin for each of at most eight axes");
  }
  if (mode < 0 || mode > static_cast<int64_t>(kernels::PadMode::kWrap)) {
    return context.Invalid("the mode is known");
  }
  kernels::PadParams& params = state->params;
  params.element_bytes = *bytes;
  params.mode = static_cast<kernels::PadMode>(mode);
  params.rank = static_cast<int32_t>(src_dims.size());
  constexpr int64_t kLargest = int64_t{1} << 56;
  for (size_t i = 0; i < src_dims.size(); ++i) {
    if (begin[i] < -kLargest || begin[i] > kLargest) return context.Invalid("begins are moderate");
    params.src_dims[i] = src_dims[i];
    params.dst_dims[i] = dst_dims[i];
    params.begin[i] = begin[i];
  }
  const int phases = kernels::PadPhases(params);
  return BoundTask{RunPadTask, std::move(state), phases, 1 << 16, 0};
}

/// Inputs: condition (bool), a, b of any type of whole bytes; plain, broadcast to the result.
Result<BoundTask> BindWhere(const BindContext& context) {
  RETURN_IF_ERROR(CheckPresent(context, 3, 1));
  const ProgramTensor& dst = context.output(0);
  const auto bytes = MovableBytes(dst.dtype);
  if (!bytes || dst.layout != Layout::kPlain ||
      !Is(context.input(0), ElementType::kBool, Layout::kPlain) ||
      !Is(context.input(1), dst.dtype, Layout::kPlain) ||
      !Is(context.input(2), dst.dtype, Layout::kPlain)) {
    return context.Invalid("the condition is bool, the others are of one type, all plain");
  }
  std::vector<int64_t> dims = dst.dims;
  std::vector<std::vector<int64_t>> strides = {*BroadcastStrides(dst, dst, context.c0())};
  for (size_t i = 0; i < 3; ++i) {
    auto list = BroadcastStrides(context.input(i), dst, context.c0());
    if (!list) return context.Invalid(StrCat("input ", i, " broadcasts to the result"));
    strides.push_back(std::move(*list));
  }
  CollapseStrided(dims, strides);
  if (dims.size() > kernels::kMaxNdRank) return context.Invalid("the rank is supported");
  auto params = std::make_shared<kernels::WhereParams>();
  params->element_bytes = *bytes;
  params->shape.rank = static_cast<int32_t>(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    params->shape.dims[i] = dims[i];
    for (size_t k = 0; k < 4; ++k) params->shape.strides[k][i] = strides[k][i];
  }
  const int phases = kernels::WherePhases(*params);
  return BoundTask{RunWhereTask, std::move(params), phases, 1 << 16, 0};
}

Result<BoundTask> BindCast(const BindContext& context) {
  RETURN_IF_ERROR(CheckPresent(context, 1, 1));
  const ProgramTensor &src = context.input(0), &dst = context.output(0);
  if (!kernels::SupportsCast(src.dtype) || !kernels::SupportsCast(dst.dtype) ||
      src.layout != Layout::kPlain || dst.layout != Layout::kPlain ||
      NumElements(src) != NumElements(dst)) {
    return context.Invalid("source and result are plain, of numeric types and equal size");
  }
  auto params = std::make_shared<kernels::CastParams>(
      kernels::CastParams{context.isa, src.dtype, dst.dtype, NumElements(src)});
  const int phases = kernels::CastPhases(*params);
  return BoundTask{RunCastTask, std::move(params), phases, 1 << 16, 0};
}

}  // namespace cairn::schedule
