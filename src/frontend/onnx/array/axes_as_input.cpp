// SPDX-License-Identifier: Apache-2.0
// Operators whose integer attributes became inputs: Squeeze, Unsqueeze, Split, Slice, TopK and the
// reductions.
#include "frontend/onnx/node_import.h"

namespace cairn::onnx {
namespace {

/// The node with attribute `name`, when present, as its input `index`.
Status MoveToInput(NodeImport& node, const std::string& name, size_t index, const std::string& op) {
  ASSIGN_OR_RETURN(Value * constant, node.TakeIntsAsConstant(name));
  std::vector<Value*> inputs = node.inputs();
  if (constant) {
    inputs.resize(std::max(inputs.size(), index + 1));
    inputs[index] = constant;
  }
  return node.Finish(op, std::move(inputs), node.attributes);
}

}  // namespace

Status ConvertAxesAttribute(NodeImport& node) {
  return MoveToInput(node, "axes", 1, node.op_type());
}

Status ConvertSplit(NodeImport& node) { return MoveToInput(node, "split", 1, "Split"); }

Status ConvertSlice(NodeImport& node) {
  if (node.opset() >= 10) return node.PassThrough();
  ASSIGN_OR_RETURN(Value * starts, node.TakeIntsAsConstant("starts"));
  ASSIGN_OR_RETURN(Value * ends, node.TakeIntsAsConstant("ends"));
  ASSIGN_OR_RETURN(Value * axes, node.TakeIntsAsConstant("axes"));
  return node.Finish("Slice", {node.input(0), starts, ends, axes}, node.attributes);
}

Status ConvertTopK(NodeImport& node) {
  if (node.opset() >= 10) return node.PassThrough();
  if (!node.Has("k")) return Status(Code::kInvalidModel, "attribute 'k' is missing");
  ASSIGN_OR_RETURN(const int64_t k, node.Int("k", 0));
  node.attributes.erase("k");
  return node.Finish("TopK", {node.input(0), node.IntConstant({k})}, node.attributes);
}

}  // namespace cairn::onnx
