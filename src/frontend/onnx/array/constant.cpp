// SPDX-License-Identifier: Apache-2.0
// Constant: the attribute forms of all operator sets become a constant of the graph.
#include "frontend/onnx/node_import.h"

namespace cairn::onnx {
namespace {

Result<Tensor> ConstantValue(const NodeImport& node) {
  if (node.attributes.size() != 1) {
    return Status(Code::kInvalidModel,
                  StrCat("has ", node.attributes.size(), " attributes, expected exactly 1"));
  }
  const auto& [name, value] = *node.attributes.begin();
  if (const auto* tensor = std::get_if<Tensor>(&value)) return *tensor;
  if (const auto* number = std::get_if<float>(&value)) return Tensor::ScalarF32(*number);
  if (const auto* number = std::get_if<int64_t>(&value)) return Tensor::ScalarInt(*number);
  if (const auto* list = std::get_if<Ints>(&value)) return Tensor::FromInts(*list);
  if (const auto* list = std::get_if<Floats>(&value)) {
    return Tensor::FromValues<float>(ElementType::kF32, {static_cast<int64_t>(list->size())},
                                     *list);
  }
  Strings strings;
  Shape shape;
  if (const auto* text = std::get_if<std::string>(&value)) strings = {*text};
  if (const auto* list = std::get_if<Strings>(&value)) {
    strings = *list;
    shape = {static_cast<int64_t>(list->size())};
  } else if (strings.empty()) {
    return Status(Code::kInvalidModel, StrCat("attribute '", name, "' is no value"));
  }
  ASSIGN_OR_RETURN(Tensor tensor, Tensor::Allocate(ElementType::kString, std::move(shape)));
  tensor.mutable_strings() = std::move(strings);
  return tensor;
}

}  // namespace

Status ConvertConstant(NodeImport& node) {
  ASSIGN_OR_RETURN(Tensor tensor, ConstantValue(node));
  node.Bind(0, node.graph().AddConstant(node.output_name(0), std::move(tensor)));
  return OkStatus();
}

}  // namespace cairn::onnx
