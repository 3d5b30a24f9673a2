// SPDX-License-Identifier: Apache-2.0
// The reference interpreter: runs a graph or one node by the operators' reference semantics.
#pragma once

#include <functional>
#include <vector>

#include "base/status.h"
#include "ir/graph.h"

namespace cairn {

/// Called after each node with its concrete outputs.
using NodeObserver = std::function<void(const Node&, const std::vector<Tensor>& outputs)>;

/// Runs `graph` on `inputs` (one per graph input, in order; dtype and shape are checked against the
/// declared types). Intermediate tensors are released after their last use. Epilogues and regions
/// are evaluated operator by operator. Errors carry the node's name.
Result<std::vector<Tensor>> RunReference(const Graph& graph, std::vector<Tensor> inputs,
                                         const NodeObserver& observer = {});

/// Runs one node: `inputs` for all node inputs, captures and epilogue operands included; undefined
/// tensors for absent ones.
Result<std::vector<Tensor>> EvaluateNode(const Node& node, std::vector<Tensor> inputs);

}  // namespace cairn
