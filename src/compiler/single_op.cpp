// SPDX-License-Identifier: Apache-2.0
// Operands of a description become those of an operator called by name.
#include "compiler/single_op.h"

#include "executable/om_format.h"
#include "frontend/singleop/operator.h"

namespace cairn::compiler {
namespace {

constexpr int32_t kNhwc = 1;

Status CheckDims(const SingleOpTensor& tensor, std::string_view what) {
  for (const int64_t dim : tensor.dims) {
    if (dim >= 0) continue;
    return Status(Code::kUnsupported,
                  StrCat(what, " has the shape ", ShapeToString(tensor.dims),
                         "; single operators of dynamic shape are not supported yet"));
  }
  return OkStatus();
}

Result<singleop::InputOperand> InputOf(const SingleOpTensor& tensor, size_t index) {
  singleop::InputOperand operand;
  if (tensor.is_absent) return operand;
  RETURN_IF_ERROR(CheckDims(tensor, StrCat("input ", index)));
  operand.dtype = tensor.type;
  operand.shape = tensor.dims;
  if (!tensor.is_constant) return operand;
  ASSIGN_OR_RETURN(operand.constant, Tensor::Allocate(tensor.type, tensor.dims));
  if (operand.constant.num_elements() != static_cast<int64_t>(tensor.values.size())) {
    return Status(Code::kInvalidArgument,
                  StrCat("input ", index, " has ", tensor.values.size(), " constant values for ",
                         operand.constant.num_elements(), " elements"));
  }
  for (size_t i = 0; i < tensor.values.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    if (IsFloat(tensor.type)) {
      operand.constant.SetDouble(at, tensor.values[i]);
    } else {
      operand.constant.SetInt(at, static_cast<int64_t>(tensor.values[i]));
    }
  }
  return operand;
}

std::string TensorName(const SingleOpTensor& tensor) {
  std::string name = StrCat("_", PublicDataType(tensor.type), "_", tensor.format);
  for (const int64_t dim : tensor.dims) name += StrCat("_", dim);
  return name;
}

}  // namespace

Result<std::unique_ptr<Graph>> BuildSingleOp(const SingleOp& op) {
  singleop::Operator call;
  call.type = op.type;
  call.attributes = op.attributes;
  for (auto& [name, attribute] : call.attributes) {
    const auto* type = std::get_if<TensorType>(&attribute);
    if (type) attribute = int64_t{PublicDataType(type->dtype)};
  }
  if (!op.inputs.empty() && op.inputs[0].format == kNhwc) {
    call.attributes.try_emplace("data_format", std::string("NHWC"));
  }
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    ASSIGN_OR_RETURN(singleop::InputOperand operand, InputOf(op.inputs[i], i));
    call.inputs.push_back(std::move(operand));
  }
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    RETURN_IF_ERROR(CheckDims(op.outputs[i], StrCat("output ", i)));
    call.outputs.push_back({op.outputs[i].type, op.outputs[i].dims});
  }
  return singleop::BuildGraph(call);
}

std::string SingleOpFileName(const SingleOp& op, size_t index) {
  if (!op.name.empty()) return op.name;
  std::string name = StrCat(index, "_", op.type);
  for (const SingleOpTensor& tensor : op.inputs) name += TensorName(tensor);
  for (const SingleOpTensor& tensor : op.outputs) name += TensorName(tensor);
  return name;
}

}  // namespace cairn::compiler
