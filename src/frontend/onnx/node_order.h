// SPDX-License-Identifier: Apache-2.0
// Dependencies between the nodes of an ONNX graph, by tensor name.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "frontend/onnx/cairn_onnx.pb.h"

namespace cairn::onnx {

using NodeList = google::protobuf::RepeatedPtrField<NodeProto>;

/// The node's name, or its operator and position when it has none.
std::string NodeName(const NodeProto& node, int index);

/// Names that the node's subgraphs read from outside of themselves, each once, in reading order.
std::vector<std::string> FreeNames(const NodeProto& node);

/// Indices of `nodes` in dependency order, the given order where that is one. Checks that every
/// tensor is produced once and that every name read is produced, or known outside (`known`). With
/// `wanted`, only the nodes that these tensors need. A cycle is an error that names its nodes.
Result<std::vector<int>> OrderNodes(const NodeList& nodes,
                                    const std::function<bool(const std::string&)>& known,
                                    const std::vector<std::string>* wanted);

}  // namespace cairn::onnx
