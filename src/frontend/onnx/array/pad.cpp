// SPDX-License-Identifier: Apache-2.0
// Pad and Clip: scalar and list attributes that became inputs, in the type of the data.
#include "frontend/onnx/node_import.h"

namespace cairn::onnx {
namespace {

/// A float attribute as a scalar constant of the first input's element type; null when absent.
Result<Value*> TakeAsScalar(NodeImport& node, const std::string& name) {
  if (!node.Has(name)) return static_cast<Value*>(nullptr);
  ASSIGN_OR_RETURN(const float value, node.Float(name, 0));
  node.attributes.erase(name);
  ElementType dtype = node.input(0) ? node.input(0)->type().dtype : ElementType::kF32;
  if (!IsFloat(dtype) && !IsInteger(dtype)) dtype = ElementType::kF32;
  ASSIGN_OR_RETURN(Tensor tensor, Tensor::Allocate(dtype, {}));
  tensor.SetDouble(0, value);
  return node.Constant(std::move(tensor));
}

}  // namespace

Status ConvertPad(NodeImport& node) {
  if (node.opset() >= 11) return node.PassThrough();
  ASSIGN_OR_RETURN(Value * pads,
                   node.TakeIntsAsConstant(node.opset() < 2 ? "paddings" : "pads"));
  ASSIGN_OR_RETURN(Value * value, TakeAsScalar(node, "value"));
  return node.Finish("Pad", {node.input(0), pads, value}, node.attributes);
}

Status ConvertClip(NodeImport& node) {
  if (node.opset() >= 11) return node.PassThrough();
  node.attributes.erase("consumed_inputs");
  ASSIGN_OR_RETURN(Value * low, TakeAsScalar(node, "min"));
  ASSIGN_OR_RETURN(Value * high, TakeAsScalar(node, "max"));
  return node.Finish("Clip", {node.input(0), low, high}, node.attributes);
}

}  // namespace cairn::onnx
