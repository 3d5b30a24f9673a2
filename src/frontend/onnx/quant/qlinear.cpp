// SPDX-License-Identifier: Apache-2.0
// Operators of ONNX Runtime's quantiser on quantised tensors: dequantise, compute, quantise.
#include "frontend/onnx/op_registry.h"
#include "frontend/onnx/quant/quantised_value.h"

namespace cairn::onnx {

Result<Value*> Dequantized(NodeImport& node, size_t first) {
  std::vector<Value*> operands = {node.input(first), node.input(first + 1)};
  if (node.input(first + 2)) operands.push_back(node.input(first + 2));
  return node.Emit("DequantizeLinear", std::move(operands));
}

Status FinishQuantized(NodeImport& node, Value* value, size_t first) {
  Attributes attributes;
  // Without a zero point, the result has the type of the quantised input.
  if (!node.input(first + 1)) {
    attributes["output_dtype"] = TensorType(node.input(0)->type().dtype);
  }
  return node.Finish("QuantizeLinear", {value, node.input(first), node.input(first + 1)},
                     std::move(attributes));
}

namespace {

/// QLinearAdd -> Add.
std::string PlainName(const NodeImport& node) {
  return node.op_type().substr(std::string_view("QLinear").size());
}

Status RefuseChannelsLast(NodeImport& node) {
  ASSIGN_OR_RETURN(const int64_t last, node.Int("channels_last", 0));
  node.attributes.erase("channels_last");
  if (last == 0) return OkStatus();
  return Status(Code::kUnsupported, "channels_last = 1 is not supported");
}

}  // namespace

// (A, A_scale, A_zero_point, B, B_scale, B_zero_point, C_scale, C_zero_point)
Status ConvertQLinearBinary(NodeImport& node) {
  ASSIGN_OR_RETURN(Value * a, Dequantized(node, 0));
  ASSIGN_OR_RETURN(Value * b, Dequantized(node, 3));
  ASSIGN_OR_RETURN(Value * c, node.Emit(PlainName(node), {a, b}));
  return FinishQuantized(node, c, 6);
}

// (X, X_scale, X_zero_point, Y_scale, Y_zero_point); the attributes are those of the plain operator.
Status ConvertQLinearUnary(NodeImport& node) {
  RETURN_IF_ERROR(RefuseChannelsLast(node));
  ASSIGN_OR_RETURN(Value * x, Dequantized(node, 0));
  ASSIGN_OR_RETURN(Value * y, node.Emit(PlainName(node), {x}, node.attributes));
  return FinishQuantized(node, y, 3);
}

Status ConvertQLinearSoftmax(NodeImport& node) {
  // Attribute `opset` says which Softmax is meant: one of set 13 or a flattening one.
  ASSIGN_OR_RETURN(const int64_t opset, node.Int("opset", 13));
  ASSIGN_OR_RETURN(const int64_t axis, node.Int("axis", opset < 13 ? 1 : -1));
  ASSIGN_OR_RETURN(Value * x, Dequantized(node, 0));
  Value* y = nullptr;
  if (opset >= 13) {
    ASSIGN_OR_RETURN(y, node.Emit("Softmax", {x}, {{"axis", axis}}));
  } else {
    ASSIGN_OR_RETURN(Value * flat, node.Emit("Flatten", {x}, {{"axis", axis}}));
    ASSIGN_OR_RETURN(Value * rows, node.Emit("Softmax", {flat}, {{"axis", int64_t{-1}}}));
    ASSIGN_OR_RETURN(Value * shape, node.Emit("Shape", {x}));
    ASSIGN_OR_RETURN(y, node.Emit("Reshape", {rows, shape}));
  }
  return FinishQuantized(node, y, 3);
}

// (data, data_scale, data_zero_point, reduced_scale, reduced_zero_point)
Status ConvertQLinearReduceMean(NodeImport& node) {
  ASSIGN_OR_RETURN(Value * axes, node.TakeIntsAsConstant("axes"));
  ASSIGN_OR_RETURN(Value * x, Dequantized(node, 0));
  std::vector<Value*> operands = {x};
  if (axes) operands.push_back(axes);
  ASSIGN_OR_RETURN(Value * y, node.Emit("ReduceMean", std::move(operands), node.attributes));
  return FinishQuantized(node, y, 3);
}

// (Y_scale, Y_zero_point, then tensor, scale and zero point of each part)
Status ConvertQLinearConcat(NodeImport& node) {
  std::vector<Value*> parts;
  for (size_t first = 2; first < node.num_inputs(); first += 3) {
    ASSIGN_OR_RETURN(Value * part, Dequantized(node, first));
    parts.push_back(part);
  }
  ASSIGN_OR_RETURN(Value * joined, node.Emit("Concat", std::move(parts), node.attributes));
  return FinishQuantized(node, joined, 0);
}

// (condition, X, x_scale, x_zero_point, Y, y_scale, y_zero_point, z_scale, z_zero_point)
Status ConvertQLinearWhere(NodeImport& node) {
  ASSIGN_OR_RETURN(Value * x, Dequantized(node, 1));
  ASSIGN_OR_RETURN(Value * y, Dequantized(node, 4));
  ASSIGN_OR_RETURN(Value * z, node.Emit("Where", {node.input(0), x, y}));
  return FinishQuantized(node, z, 7);
}

}  // namespace cairn::onnx
