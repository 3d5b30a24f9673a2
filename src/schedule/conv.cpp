// SPDX-License-Identifier: Apache-2.0
// Kernel `conv_f32`: convolution with an epilogue. Inputs: source (plain or blocked), packed
// weights of dims [out, in / group, kernel...], then the epilogue's operands; the result is
// blocked. Attributes: those of a window, and `group`.
#include "schedule/conv.h"

namespace cairn::schedule {
Result<kernels::ConvParams> ReadConvParams(const BindContext& context, bool transposed) {
  RETURN_IF_ERROR(CheckFormal(context, 2));
  const ProgramTensor &src = context.input(0), &weights = context.input(1);
  const ProgramTensor& dst = context.output(0);
  if (src.dtype != ElementType::kF32 || src.layout == Layout::kPacked) {
    return context.Invalid("the source is plain or blocked f32");
  }
  if (!Is(dst, ElementType::kF32, Layout::kBlocked))
    return context.Invalid("the result is blocked");
  if (!Is(weights, ElementType::kF32, Layout::kPacked))
    return context.Invalid("weights are packed");
  const size_t rank = src.dims.size();
  if (weights.dims.size() != rank || dst.dims.size() != rank || rank < 3) {
    return context.Invalid("source, weights and result have the same rank");
  }
  const std::vector<int64_t> kernel(weights.dims.begin() + 2, weights.dims.end());
  ASSIGN_OR_RETURN(const Window window, ReadWindow(context, src, &kernel));
  kernels::ConvParams params;
  params.isa = context.isa;
  params.batch = src.dims[0];
  params.in_channels = src.dims[1];
  params.out_channels = dst.dims[1];
  params.group = context.task.GetInt("group", 1);
  params.in = SpatialDims(src);
  params.out = SpatialDims(dst);
  params.kernel = window.kernel;
  params.stride = window.stride;
  params.dilation = window.dilation;
  params.pad_begin = window.pad_begin;
  params.plain_src = src.layout == Layout::kPlain;
  if (params.group < 1 || params.in_channels % params.group != 0 ||
      params.out_channels % params.group != 0) {
    return context.Invalid("the group divides the channels");
  }
  const int64_t rows = transposed ? params.in_channels : params.out_channels;
  const int64_t columns = transposed ? params.out_channels : params.in_channels;
  if (weights.dims[0] != rows || weights.dims[1] != columns / params.group ||
      dst.dims[0] != params.batch) {
    return context.Invalid("batch and channels of source, weights and result fit");
  }
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<size_t>(axis);
    if (!transposed && params.out[i] != window.OutputSize(axis, params.in[i], false)) {
      return context.Invalid("the result has the size that window and source give");
    }
  }
  // Padding of every group to whole vectors is the most that packing adds.
  if (!ProductFits({params.out_channels, params.in_channels, window.kernel[0], window.kernel[1],
                    window.kernel[2], int64_t{context.c0()} * context.c0()})) {
    return context.Invalid("the weights are not too large");
  }
  return params;
}

Result<BoundTask> BindConv(const BindContext& context) {
  ASSIGN_OR_RETURN(const kernels::ConvParams params, ReadConvParams(context));
  return BindConvTask<kernels::RunConv>(context, params, kernels::ConvPackedFloats(params),
                                        kernels::ConvPhases(params),
                                        kernels::ConvWorkspaceBytes(params, MostParts(context)));
}

}  // namespace cairn::schedule
