// SPDX-License-Identifier: Apache-2.0
// Looking up names, and turning initialisers into constants.
#include "frontend/onnx/frame.h"

#include "frontend/onnx/tensor_import.h"

namespace cairn::onnx {

Result<Value*> Frame::Find(const std::string& name) {
  if (auto it = values.find(name); it != values.end()) return it->second;
  Value* value = nullptr;
  if (auto it = initializers.find(name); it != initializers.end()) {
    auto tensor = ImportTensor(*it->second, *external);
    if (!tensor.ok()) return tensor.status().WithContext(StrCat("initialiser '", name, "'"));
    value = graph->AddConstant(prefix + name, *std::move(tensor));
  } else if (auto sparse = sparse_initializers.find(name); sparse != sparse_initializers.end()) {
    auto tensor = ImportSparseTensor(*sparse->second, *external);
    if (!tensor.ok()) return tensor.status().WithContext(StrCat("initialiser '", name, "'"));
    value = graph->AddConstant(prefix + name, *std::move(tensor));
  } else if (parent) {
    ASSIGN_OR_RETURN(Value * outer, parent->Find(name));
    if (parent->graph == graph) return outer;
    if (outer && outer->is_constant()) value = graph->AddConstant(outer->name(), outer->constant());
    if (outer && !value) {
      return Status(Code::kInternal, StrCat("the outer tensor '", name, "' is not captured"));
    }
  } else {
    return Status(Code::kNotFound, StrCat("tensor '", name, "' is not known here"));
  }
  values[name] = value;
  return value;
}

}  // namespace cairn::onnx
