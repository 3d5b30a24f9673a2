// SPDX-License-Identifier: Apache-2.0
// Kernel `transdata`: conversion of a 4-byte tensor [N, C, spatial...] between layouts. Attribute
// `channels_last` = 1: the plain operand is [N, spatial..., C] (of the source, or else of the
// result).
#include "kernels/layout/layout.h"

#include "schedule/operands.h"

namespace cairn::schedule {
namespace {

int RunTransdata(const void* opaque, void* const* operands, void*, int phase, kernels::Part part) {
  const auto& params = *static_cast<const kernels::LayoutParams*>(opaque);
  kernels::RunLayout(params, {operands[0], operands[1]}, phase, part);
  return kNoFault;
}

/// The dims of `tensor` with its last axis moved to the second place.
std::vector<int64_t> ChannelsFirst(const ProgramTensor& tensor) {
  std::vector<int64_t> dims = tensor.dims;
  dims.insert(dims.begin() + 1, dims.back());
  dims.pop_back();
  return dims;
}

}  // namespace

Result<BoundTask> BindTransdata(const BindContext& context) {
  RETURN_IF_ERROR(CheckPresent(context, 1, 1));
  const ProgramTensor &src = context.input(0), &dst = context.output(0);
  if (src.dtype != dst.dtype || ElementBits(src.dtype) != 32) {
    return context.Invalid("source and result have the same type of 4 bytes");
  }
  if (src.layout == Layout::kPacked || dst.layout == Layout::kPacked || src.dims.size() < 2 ||
      src.dims.size() != dst.dims.size()) {
    return context.Invalid("source and result are plain or blocked, of the same rank");
  }
  using kernels::ImageLayout;
  const bool last = context.task.GetInt("channels_last", 0) != 0;
  kernels::LayoutParams params{};
  params.isa = context.isa;
  params.c0 = context.c0();
  params.src = src.layout == Layout::kBlocked ? ImageLayout::kBlocked : ImageLayout::kChannelsFirst;
  params.dst = dst.layout == Layout::kBlocked ? ImageLayout::kBlocked : ImageLayout::kChannelsFirst;
  std::vector<int64_t> dims = src.dims, dst_dims = dst.dims;
  if (last && src.layout == Layout::kPlain && dst.layout == Layout::kBlocked) {
    params.src = ImageLayout::kChannelsLast;
    dims = ChannelsFirst(src);
  } else if (last && dst.layout == Layout::kPlain) {
    params.dst = ImageLayout::kChannelsLast;
    dst_dims = ChannelsFirst(dst);
  }
  if (params.src == params.dst) return context.Invalid("source and result differ in layout");
  if (dims != dst_dims) return context.Invalid("source and result have the same dims");
  params.batch = dims[0];
  params.channels = dims[1];
  params.pixels = 1;
  for (size_t i = 2; i < dims.size(); ++i) params.pixels *= dims[i];
  const int phases = kernels::LayoutPhases(params);
  return BoundTask{RunTransdata, std::make_shared<kernels::LayoutParams>(params), phases, 1 << 16,
                   0};
}

}  // namespace cairn::schedule
