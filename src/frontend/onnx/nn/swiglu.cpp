// SPDX-License-Identifier: Apache-2.0
// SwiGLU: [SwiGLU(a, b)] => [Mul(Swish(a), b)], as the standard defines it.
#include "frontend/onnx/node_import.h"

namespace cairn::onnx {

Status ConvertSwiGLU(NodeImport& node) {
  ASSIGN_OR_RETURN(Value * gate, node.Emit("Swish", {node.input(0)}, node.attributes));
  return node.Finish("Mul", {gate, node.input(1)}, {});
}

}  // namespace cairn::onnx
