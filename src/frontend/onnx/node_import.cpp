// SPDX-License-Identifier: Apache-2.0
// What converters do with a node: reading attributes, emitting nodes.
#include "frontend/onnx/node_import.h"

#include <algorithm>

namespace cairn::onnx {
namespace {

template <class T>
Result<T> Read(const NodeImport& node, const std::string& attribute, T fallback,
               std::string_view kind) {
  auto it = node.attributes.find(attribute);
  if (it == node.attributes.end()) return fallback;
  if (const auto* value = std::get_if<T>(&it->second)) return *value;
  return Status(Code::kInvalidModel, StrCat("attribute '", attribute, "' must be ", kind));
}

/// Nothing the model says may be lost: an attribute that the definition does not have is an error.
Status CheckAttributes(const std::string& op, const Attributes& attrs) {
  const OpDef* def = FindOp(op);
  if (!def) return Status(Code::kUnsupported, "the operator has no definition");
  std::vector<std::string> known;
  for (const AttrDef& attr : def->attrs()) known.push_back(attr.name);
  for (const auto& [name, value] : attrs) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string nearest = NearestName(name, known);
    return Status(Code::kUnsupported,
                  StrCat("attribute '", name, "' is unknown",
                         nearest.empty() ? "" : StrCat("; did you mean '", nearest, "'?")));
  }
  return OkStatus();
}

}  // namespace

Result<int64_t> NodeImport::Int(const std::string& attribute, int64_t fallback) const {
  return Read<int64_t>(*this, attribute, fallback, "an integer");
}

Result<float> NodeImport::Float(const std::string& attribute, float fallback) const {
  return Read<float>(*this, attribute, fallback, "a float");
}

Result<std::string> NodeImport::String(const std::string& attribute, std::string fallback) const {
  return Read<std::string>(*this, attribute, std::move(fallback), "a string");
}

Result<std::vector<int64_t>> NodeImport::IntList(const std::string& attribute) const {
  return Read<Ints>(*this, attribute, {}, "a list of integers");
}

Result<Value*> NodeImport::TakeIntsAsConstant(const std::string& attribute) {
  if (!Has(attribute)) return static_cast<Value*>(nullptr);
  ASSIGN_OR_RETURN(std::vector<int64_t> values, IntList(attribute));
  attributes.erase(attribute);
  return IntConstant(std::move(values));
}

Value* NodeImport::Constant(Tensor tensor) {
  return graph_.AddConstant(StrCat(name_, "/const"), std::move(tensor));
}

Value* NodeImport::IntConstant(std::vector<int64_t> values) {
  return Constant(Tensor::FromInts(values));
}

Result<Value*> NodeImport::Emit(const std::string& op, std::vector<Value*> inputs,
                                Attributes attrs) {
  ASSIGN_OR_RETURN(const std::vector<Value*> outputs,
                   EmitAll(op, std::move(inputs), std::move(attrs), 1));
  return outputs[0];
}

Result<std::vector<Value*>> NodeImport::EmitAll(const std::string& op, std::vector<Value*> inputs,
                                                Attributes attrs, int count) {
  while (!inputs.empty() && inputs.back() == nullptr) inputs.pop_back();
  const std::string name = StrCat(name_, "/", op);
  Node* node = graph_.AddNode(op, name, std::move(inputs), count, nullptr, {name});
  for (auto& [key, value] : attrs) node->Set(key, std::move(value));
  AddOrigin(node);
  RETURN_IF_ERROR(InferNode(*node));
  return node->outputs();
}

Status NodeImport::Finish(const std::string& op, std::vector<Value*> inputs, Attributes attrs) {
  return FinishOutputs(op, std::move(inputs), std::move(attrs), 0, output_names_.size());
}

Status NodeImport::FinishOutputs(const std::string& op, std::vector<Value*> inputs,
                                 Attributes attrs, size_t first, size_t count) {
  RETURN_IF_ERROR(CheckAttributes(op, attrs));
  while (!inputs.empty() && inputs.back() == nullptr) inputs.pop_back();
  if (!captures.empty()) {
    const OpDef* def = FindOp(op);
    // Trailing optional inputs must be there in name, so that captures do not take their places.
    if (def && !def->inputs().empty() && !def->inputs().back().variadic) {
      inputs.resize(std::max(inputs.size(), def->inputs().size()));
    }
    inputs.insert(inputs.end(), captures.begin(), captures.end());
    attrs["num_captures"] = static_cast<int64_t>(captures.size());
  }
  const auto begin = output_names_.begin() + static_cast<std::ptrdiff_t>(first);
  const std::vector<std::string> names(begin, begin + static_cast<std::ptrdiff_t>(count));
  Node* node =
      graph_.AddNode(op, name_, std::move(inputs), static_cast<int>(count), nullptr, names);
  for (auto& [key, value] : attrs) node->Set(key, std::move(value));
  AddOrigin(node);
  for (size_t i = 0; i < count; ++i) outputs_[first + i] = node->output(i);
  return InferNode(*node);
}

}  // namespace cairn::onnx
