// SPDX-License-Identifier: Apache-2.0
// Structural checks of a graph.
#pragma once

#include "base/status.h"
#include "ir/graph.h"

namespace cairn {

/// Checks use lists against inputs, order (producers before readers), unique names, output slots,
/// region arity (formal + captures), and epilogue shape. An error names the node and the rule.
Status VerifyGraph(const Graph& graph);

}  // namespace cairn
