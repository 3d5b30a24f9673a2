// SPDX-License-Identifier: Apache-2.0
// Reduce operators: their axes were an attribute, and are an input.
#include "frontend/onnx/op_registry.h"

namespace cairn::onnx {

Status ConvertReduce(NodeImport& node) {
  std::vector<Value*> inputs = node.inputs();
  if (node.Has("axes")) {
    ASSIGN_OR_RETURN(Value * axes, node.TakeIntsAsConstant("axes"));
    inputs.resize(1);
    inputs.push_back(axes);
  }
  return node.Finish(node.op_type(), std::move(inputs), node.attributes);
}

}  // namespace cairn::onnx
