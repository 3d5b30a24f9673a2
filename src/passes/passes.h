// SPDX-License-Identifier: Apache-2.0
// Declares the function of every pass in pass_list.def; each is defined in the file of its name.
#pragma once

#include "passes/pass.h"

namespace cairn {

#define CAIRN_PASS(Function, stage, level, original, doc) \
  Result<int> Function(Graph& graph, const PassContext& context);
#include "passes/pass_list.def"
#undef CAIRN_PASS

}  // namespace cairn
