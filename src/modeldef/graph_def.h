// SPDX-License-Identifier: Apache-2.0
// A graph as GraphDef messages.
#pragma once

#include <functional>
#include <string>

#include "ir/graph.h"
#include "modeldef/cairn_ge.pb.h"

namespace cairn::modeldef {

/// Gives the contents of a constant: fills data, or where the data lies, into `out`, whose
/// descriptor is filled already.
using ConstantWriter = std::function<void(const Tensor& tensor, ge::TensorDef& out)>;

/// Adds extra attributes to a node's OpDef.
using NodeWriter = std::function<void(const Node& node, ge::OpDef& out)>;

/// Data nodes for the inputs, Const nodes for constants that are read, one op per node in order,
/// and one NetOutput node. Edges are `name:index`, empty for an absent operand; descriptors of both
/// ends of an edge are equal. Regions become graph attributes with constants in line.
void WriteGraph(const Graph& graph, const ConstantWriter& constants, const NodeWriter& nodes,
                ge::GraphDef& out);

}  // namespace cairn::modeldef
