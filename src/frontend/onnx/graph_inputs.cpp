// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs of the main graph: declared types against the user's shapes.
#include <algorithm>

#include "frontend/onnx/graph_import.h"
#include "frontend/onnx/node_order.h"
#include "frontend/onnx/tensor_import.h"

namespace cairn::onnx {
namespace {

/// "'x' f32[1,3,H,W]" of every real input (initialisers left out).
std::string DescribeInputs(const GraphProto& proto, const Frame& frame) {
  std::vector<std::string> texts;
  for (const ValueInfoProto& info : proto.input()) {
    if (frame.initializers.count(info.name())) continue;
    auto type = ImportType(info.type(), info.name());
    texts.push_back(StrCat("'", info.name(), "' ", type.ok() ? type->ToString() : ""));
  }
  return texts.empty() ? "none" : StrJoin(texts, ", ");
}

Dims Substitute(const Dims& dims, const std::map<std::string, Dim>& symbols) {
  Dims result;
  for (const Dim& dim : dims) result.push_back(dim.Substitute(symbols));
  return result;
}

std::string QuotedOutputs(const GraphProto& proto) {
  std::vector<std::string> quoted;
  for (const ValueInfoProto& output : proto.output())
    quoted.push_back(StrCat("'", output.name(), "'"));
  return StrJoin(quoted, ", ");
}

}  // namespace

Status GraphImport::BindInitializers(GraphProto& proto, Frame& frame) {
  for (TensorProto& tensor : *proto.mutable_initializer()) {
    if (!frame.initializers.try_emplace(tensor.name(), &tensor).second) {
      return Status(Code::kInvalidModel,
                    StrCat("initialiser '", tensor.name(), "' is given twice"));
    }
  }
  for (SparseTensorProto& sparse : *proto.mutable_sparse_initializer()) {
    frame.sparse_initializers[sparse.values().name()] = &sparse;
  }
  for (const ValueInfoProto& info : proto.value_info()) {
    frame.declared[info.name()] = {&info, "value_info"};
  }
  for (const ValueInfoProto& info : proto.output()) frame.declared[info.name()] = {&info, "output"};
  return OkStatus();
}

Status GraphImport::CheckInputOptions(const GraphProto& proto, const Frame& frame) const {
  for (const auto& [name, dims] : options_.input_shapes) {
    const bool exists = std::any_of(
        proto.input().begin(), proto.input().end(),
        [&](const auto& in) { return in.name() == name && !frame.initializers.count(in.name()); });
    if (!exists) {
      return Status(Code::kNotFound, StrCat("input shape: the model has no input '", name,
                                            "'; its inputs are ", DescribeInputs(proto, frame)));
    }
  }
  return OkStatus();
}

Status GraphImport::BindSymbols(const std::string& input, const Dims& declared, const Dims& given) {
  for (size_t axis = 0; axis < declared.size(); ++axis) {
    const auto symbol = declared[axis].symbol();
    if (!symbol || declared[axis] == given[axis]) continue;
    const auto [it, inserted] = symbols_.try_emplace(*symbol, given[axis]);
    if (inserted) {
      symbol_source_[*symbol] = input;
    } else if (it->second.is_const() && given[axis].is_const() && !(it->second == given[axis])) {
      return Status(Code::kInvalidArgument,
                    StrCat("input shape: '", *symbol, "' is ", it->second, " in input '",
                           symbol_source_[*symbol], "' and ", given[axis], " in input '", input,
                           "' (axis ", axis, ")"));
    }
  }
  return OkStatus();
}

Result<TensorType> GraphImport::InputType(const ValueInfoProto& info) {
  auto declared = ImportType(info.type(), info.name());
  if (!declared.ok()) return declared.status().WithContext(StrCat("input '", info.name(), "'"));
  const auto it = options_.input_shapes.find(info.name());
  if (it == options_.input_shapes.end()) return declared;
  Dims given = it->second;
  if (!declared->dims) {
    for (size_t axis = 0; axis < given.size(); ++axis) {
      if (given[axis].is_const() && given[axis].value() < 0)
        given[axis] = Dim::Symbol(StrCat("?", info.name(), "_", axis));
    }
    declared->dims = std::move(given);
    return declared;
  }
  if (given.size() != declared->dims->size()) {
    return Status(Code::kInvalidArgument,
                  StrCat("input shape: '", info.name(), "' has ", given.size(), " dimensions in ",
                         DimsToString(given), ", the model declares ", declared->dims->size(), ": ",
                         declared->ToString()));
  }
  for (size_t axis = 0; axis < given.size(); ++axis) {
    const Dim& fixed = (*declared->dims)[axis];
    if (given[axis].is_const() && given[axis].value() < 0) given[axis] = fixed;
    if (fixed.is_const() && !(fixed == given[axis])) {
      return Status(Code::kInvalidArgument,
                    StrCat("input shape: '", info.name(), "' has ", given[axis], " at axis ", axis,
                           ", the model fixes it to ", fixed, ": ", declared->ToString()));
    }
  }
  RETURN_IF_ERROR(BindSymbols(info.name(), *declared->dims, given));
  declared->dims = std::move(given);
  return declared;
}

Status GraphImport::AddInputs(GraphProto& proto, Frame& frame) {
  RETURN_IF_ERROR(CheckInputOptions(proto, frame));
  std::vector<std::pair<std::string, TensorType>> inputs;
  for (const ValueInfoProto& info : proto.input()) {
    if (frame.initializers.count(info.name()) || frame.sparse_initializers.count(info.name())) {
      continue;  // A default value (IR 3 lists all initialisers as inputs): a constant here.
    }
    ASSIGN_OR_RETURN(TensorType type, InputType(info));
    inputs.emplace_back(info.name(), std::move(type));
  }
  for (auto& [name, type] : inputs) {
    if (frame.values.count(name)) {
      return Status(Code::kInvalidModel, StrCat("input '", name, "' is declared twice"));
    }
    // Symbols that another input's given shape fixes hold here too.
    if (type.dims) type.dims = Substitute(*type.dims, symbols_);
    frame.values[name] = frame.graph->AddInput(name, std::move(type));
  }
  return OkStatus();
}

Result<std::vector<std::pair<std::string, std::string>>> GraphImport::WantedOutputs(
    const GraphProto& proto) {
  std::vector<std::pair<std::string, std::string>> wanted;
  if (options_.out_nodes.empty()) {
    for (const ValueInfoProto& output : proto.output()) {
      wanted.emplace_back(output.name(), output.name());
    }
    return wanted;
  }
  std::map<std::string, const NodeProto*> nodes;
  std::map<std::string, bool> tensors;
  std::vector<std::string> names;
  for (int i = 0; i < proto.node_size(); ++i) {
    nodes.try_emplace(NodeName(proto.node(i), i), &proto.node(i));
    names.push_back(NodeName(proto.node(i), i));
    for (const std::string& output : proto.node(i).output()) tensors[output] = true;
  }
  for (const std::string& name : options_.out_nodes) {
    if (tensors.count(name)) {
      wanted.emplace_back(name, name);
      continue;
    }
    const size_t colon = name.rfind(':');
    const std::string node_name = name.substr(0, colon);
    const std::string index_text = colon == std::string::npos ? "0" : name.substr(colon + 1);
    const bool digits = !index_text.empty() && index_text.size() < 6 &&
                        index_text.find_first_not_of("0123456789") == std::string::npos;
    const auto node = nodes.find(node_name);
    if (node == nodes.end() || !digits) {
      const std::string nearest = NearestName(node_name, names);
      return Status(Code::kNotFound,
                    StrCat("output node '", name, "' is no node:index and no tensor of the model",
                           nearest.empty() ? StrCat("; its outputs are ", QuotedOutputs(proto))
                                           : StrCat("; did you mean '", nearest, ":0'?")));
    }
    const int index = std::stoi(index_text);
    if (index >= node->second->output_size()) {
      return Status(Code::kInvalidArgument, StrCat("output node '", name, "': the node has ",
                                                   node->second->output_size(), " output(s)"));
    }
    wanted.emplace_back(node->second->output(index), node->second->output(index));
  }
  return wanted;
}

Status GraphImport::AddOutputs(GraphProto& proto, Frame& frame) {
  ASSIGN_OR_RETURN(const auto wanted, WantedOutputs(proto));
  if (wanted.empty()) return Status(Code::kInvalidModel, "the graph has no output");
  for (const auto& [tensor, name] : wanted) {
    if (!frame.Knows(tensor)) {
      return Status(Code::kInvalidModel, StrCat("output '", tensor, "' is produced by no node"));
    }
    ASSIGN_OR_RETURN(Value * value, frame.Find(tensor));
    if (!value) return Status(Code::kInvalidModel, StrCat("output '", tensor, "' is absent"));
    frame.graph->AddOutput(value, name);
  }
  return OkStatus();
}

}  // namespace cairn::onnx
