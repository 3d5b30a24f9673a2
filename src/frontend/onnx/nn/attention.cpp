// SPDX-License-Identifier: Apache-2.0
// Attention: the number of the softmax's element type becomes the type.
#include "frontend/onnx/type_attribute.h"

namespace cairn::onnx {

Status ConvertAttention(NodeImport& node) {
  RETURN_IF_ERROR(NumberToType(node, "softmax_precision"));
  return node.PassThrough();
}

}  // namespace cairn::onnx
