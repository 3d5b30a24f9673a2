// SPDX-License-Identifier: Apache-2.0
// Kernel `conv_transpose_f32`: transposed convolution with an epilogue. As `conv_f32`, with a
// blocked source and weights of dims [in, out / group, kernel...]; the pads at the ends are not
// used.
#include "kernels/conv_transpose/conv_transpose.h"

#include "schedule/conv.h"

namespace cairn::schedule {

Result<BoundTask> BindConvTranspose(const BindContext& context) {
  ASSIGN_OR_RETURN(const kernels::ConvParams params, ReadConvParams(context, true));
  if (params.plain_src) return context.Invalid("the source is blocked");
  return BindConvTask<kernels::RunConvTranspose>(
      context, params, kernels::ConvTransposePackedFloats(params),
      kernels::ConvTransposePhases(params),
      kernels::ConvTransposeWorkspaceBytes(params, MostParts(context)));
}

}  // namespace cairn::schedule
