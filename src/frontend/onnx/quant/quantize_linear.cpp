// SPDX-License-Identifier: Apache-2.0
// QuantizeLinear, DequantizeLinear: numbers of element types become element types.
#include "frontend/onnx/op_registry.h"
#include "frontend/onnx/tensor_import.h"

namespace cairn::onnx {
namespace {

/// The attribute holds the number of an element type; 0 stands for none.
Status TranslateType(NodeImport& node, const std::string& name) {
  ASSIGN_OR_RETURN(const int64_t number, node.Int(name, 0));
  node.attributes.erase(name);
  if (number == 0) return OkStatus();
  ASSIGN_OR_RETURN(const ElementType type, ImportElementType(static_cast<int32_t>(number)));
  node.attributes[name] = TensorType(type);
  return OkStatus();
}

}  // namespace

Status ConvertQuantizeLinear(NodeImport& node) {
  RETURN_IF_ERROR(TranslateType(node, "output_dtype"));
  RETURN_IF_ERROR(TranslateType(node, "precision"));
  return node.PassThrough();
}

Status ConvertDequantizeLinear(NodeImport& node) {
  RETURN_IF_ERROR(TranslateType(node, "output_dtype"));
  return node.PassThrough();
}

}  // namespace cairn::onnx
