// SPDX-License-Identifier: Apache-2.0
// What the binders of the convolution kernels share.
#pragma once

#include "kernels/conv/conv.h"
#include "schedule/epilogue.h"
#include "schedule/operands.h"
#include "schedule/window.h"

namespace cairn::schedule {

/// Parameters of a convolution task, all but the size of the packed weights checked.
Result<kernels::ConvParams> ReadConvParams(const BindContext& context);

/// Rows and columns of a blocked result [N, C, spatial...].
inline EpilogueShape ConvEpilogueShape(const ProgramTensor& result) {
  return {NumElements(result) / result.dims[1], result.dims[1]};
}

}  // namespace cairn::schedule
