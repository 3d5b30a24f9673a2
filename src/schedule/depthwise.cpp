// SPDX-License-Identifier: Apache-2.0
// Kernel `depthwise_f32`: as `conv_f32` with one filter per channel; source and result are blocked.
#include "kernels/depthwise/depthwise.h"

#include "schedule/conv.h"

namespace cairn::schedule {

Result<BoundTask> BindDepthwise(const BindContext& context) {
  ASSIGN_OR_RETURN(const kernels::ConvParams params, ReadConvParams(context));
  if (!kernels::DepthwiseSupports(params))
    return context.Invalid("there is one filter per channel");
  return BindConvTask<kernels::RunDepthwise>(
      context, params, kernels::DepthwisePackedFloats(params), kernels::DepthwisePhases(params),
      kernels::DepthwiseWorkspaceBytes(params, MostParts(context)));
}

}  // namespace cairn::schedule
