// SPDX-License-Identifier: Apache-2.0
// QuantizeLinear, DequantizeLinear: numbers of element types become element types.
#include "frontend/onnx/type_attribute.h"

namespace cairn::onnx {

Status ConvertQuantizeLinear(NodeImport& node) {
  RETURN_IF_ERROR(NumberToType(node, "output_dtype"));
  RETURN_IF_ERROR(NumberToType(node, "precision"));
  return node.PassThrough();
}

Status ConvertDequantizeLinear(NodeImport& node) {
  RETURN_IF_ERROR(NumberToType(node, "output_dtype"));
  return node.PassThrough();
}

}  // namespace cairn::onnx
