// SPDX-License-Identifier: Apache-2.0
// The nodes of an ONNX model as the file has them, for reports.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace cairn::onnx {

struct ListedNode {
  std::string name;  ///< As in UnsupportedNode: that of the node, else its first output.
  std::string type;  ///< "domain::opset::Type".
};

/// The nodes of the main graph in the order of the file.
Result<std::vector<ListedNode>> ListNodes(const std::string& path);

}  // namespace cairn::onnx
