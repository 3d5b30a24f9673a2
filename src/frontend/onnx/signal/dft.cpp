// SPDX-License-Identifier: Apache-2.0
// DFT: its axis became an input, with another default.
#include "frontend/onnx/node_import.h"

namespace cairn::onnx {

Status ConvertDft(NodeImport& node) {
  if (node.opset() >= 20) return node.PassThrough();
  ASSIGN_OR_RETURN(const int64_t axis, node.Int("axis", 1));
  node.attributes.erase("axis");
  Value* constant = node.Constant(Tensor::ScalarInt(axis));
  return node.Finish("DFT", {node.input(0), node.input(1), constant}, node.attributes);
}

}  // namespace cairn::onnx
