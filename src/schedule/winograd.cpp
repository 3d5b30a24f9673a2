// SPDX-License-Identifier: Apache-2.0
// Kernel `winograd_f32`: as `conv_f32` for 3x3 windows of stride 1; source and result are blocked.
// Attribute `tile`: output pixels per side of a tile, 2 or 4.
#include "kernels/winograd/winograd.h"

#include "schedule/conv.h"

namespace cairn::schedule {
namespace {

template <int kTile>
void Run(const kernels::ConvParams& params, const kernels::ConvBuffers& buffers, int phase,
         kernels::Part part) {
  kernels::RunWinograd({params, kTile}, buffers, phase, part);
}

template <int kTile>
Result<BoundTask> Bind(const BindContext& context, const kernels::ConvParams& conv) {
  const kernels::WinogradParams params{conv, kTile};
  return BindConvTask<Run<kTile>>(context, conv, kernels::WinogradPackedFloats(params),
                                  kernels::WinogradPhases(params),
                                  kernels::WinogradWorkspaceBytes(params, MostParts(context)));
}

}  // namespace

Result<BoundTask> BindWinograd(const BindContext& context) {
  ASSIGN_OR_RETURN(const kernels::ConvParams params, ReadConvParams(context));
  if (!kernels::WinogradSupports(params)) {
    return context.Invalid("the window is 3x3 with stride 1, without dilation or groups");
  }
  switch (context.task.GetInt("tile", 4)) {
    case 2:
      return Bind<2>(context, params);
    case 4:
      return Bind<4>(context, params);
    default:
      return context.Invalid("the tile is 2 or 4");
  }
}

}  // namespace cairn::schedule
