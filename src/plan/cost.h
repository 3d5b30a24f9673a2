// SPDX-License-Identifier: Apache-2.0
// Arithmetic of nodes by their mathematical definition, for profiles.
#pragma once

#include "ir/graph.h"

namespace cairn::plan {

/// Multiplications and additions of the node's definition; for operators without a formula here,
/// one per output element.
double NodeFlops(const Node& node);

}  // namespace cairn::plan
