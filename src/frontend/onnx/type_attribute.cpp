// SPDX-License-Identifier: Apache-2.0
// Attributes that name an element type by its number.
#include "frontend/onnx/type_attribute.h"

#include "frontend/onnx/tensor_import.h"

namespace cairn::onnx {

Status NumberToType(NodeImport& node, const std::string& name) {
  ASSIGN_OR_RETURN(const int64_t number, node.Int(name, 0));
  node.attributes.erase(name);
  if (number == 0) return OkStatus();
  ASSIGN_OR_RETURN(const ElementType type, ImportElementType(static_cast<int32_t>(number)));
  node.attributes[name] = TensorType(type);
  return OkStatus();
}

}  // namespace cairn::onnx
