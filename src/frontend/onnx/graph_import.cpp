// SPDX-License-Identifier: Apache-2.0
// Imports nodes: names to values, operators to converters, functions inlined.
#include "frontend/onnx/graph_import.h"

#include <algorithm>

#include "frontend/onnx/node_order.h"
#include "frontend/onnx/op_registry.h"
#include "frontend/onnx/tensor_import.h"

namespace cairn::onnx {
namespace {

/// Bound on nodes after inlining: nested functions can multiply without end.
constexpr int64_t kMaxNodes = 500'000;

std::string QualifiedOp(const NodeProto& proto, const Frame& frame) {
  const std::string_view domain = CanonicalDomain(proto.domain());
  const auto opset = frame.opsets->find(domain);
  return StrCat(domain.empty() ? "ai.onnx" : domain,
                "::", opset == frame.opsets->end() ? StrCat("?") : StrCat(opset->second),
                "::", proto.op_type());
}

std::string DescribeOperands(const NodeImport& node) {
  std::vector<std::string> types;
  for (const Value* input : node.inputs()) {
    if (input == nullptr) {
      types.push_back("absent");
    } else if (input->type().dtype == ElementType::kUndefined) {
      types.push_back("unknown");  // Behind another node that is not supported.
    } else {
      types.push_back(input->type().ToString());
    }
  }
  return StrJoin(types, ", ");
}

}  // namespace

GraphImport::GraphImport(ModelProto& model, ExternalData& external, const ImportOptions& options)
    : model_(model), external_(external), options_(options) {}

Status GraphImport::Run(Graph& graph, const Opsets& opsets) {
  GraphProto& proto = *model_.mutable_graph();
  Frame frame;
  frame.graph = &graph;
  frame.opsets = &opsets;
  frame.external = &external_;
  RETURN_IF_ERROR(BindInitializers(proto, frame));
  RETURN_IF_ERROR(AddInputs(proto, frame));
  ASSIGN_OR_RETURN(const auto outputs, WantedOutputs(proto));
  std::vector<std::string> wanted;
  for (const auto& output : outputs) wanted.push_back(output.first);
  RETURN_IF_ERROR(ImportNodes(*proto.mutable_node(), frame, &wanted));
  return unsupported_.empty() ? AddOutputs(proto, frame) : OkStatus();
}

Status GraphImport::ImportNodes(NodeList& nodes, Frame& frame,
                                const std::vector<std::string>* wanted) {
  for (int i = 0; i < nodes.size(); ++i) {
    for (const std::string& name : nodes[i].output()) {
      if (name.empty() || (!frame.values.count(name) && !frame.initializers.count(name))) continue;
      return Status(Code::kInvalidModel,
                    StrCat("tensor '", name, "' is produced by node '", NodeName(nodes[i], i),
                           "' and is an input or initialiser as well"));
    }
  }
  ASSIGN_OR_RETURN(const std::vector<int> order,
                   OrderNodes(
                       nodes, [&](const std::string& name) { return frame.Knows(name); }, wanted));
  for (const int index : order) RETURN_IF_ERROR(ImportNode(nodes[index], index, frame));
  return OkStatus();
}

Status GraphImport::ImportNode(NodeProto& proto, int index, Frame& frame) {
  if (++num_nodes_ > kMaxNodes) {
    return Status(Code::kInvalidModel, StrCat("more than ", kMaxNodes, " nodes after inlining"));
  }
  std::vector<Value*> inputs;
  for (const std::string& name : proto.input()) {
    Value* value = nullptr;
    if (!name.empty()) {
      ASSIGN_OR_RETURN(value, frame.Find(name));
    }
    inputs.push_back(value);
  }
  while (!inputs.empty() && inputs.back() == nullptr) inputs.pop_back();
  std::vector<std::string> outputs;
  for (const std::string& name : proto.output()) {
    outputs.push_back(name.empty() ? name : frame.prefix + name);
  }
  while (outputs.size() > 1 && outputs.back().empty()) outputs.pop_back();
  const auto opset = frame.opsets->find(CanonicalDomain(proto.domain()));
  NodeImport node(*frame.graph, frame.prefix + NodeName(proto, index), proto.op_type(),
                  opset == frame.opsets->end() ? 0 : opset->second, std::move(inputs),
                  std::move(outputs));
  const size_t unsupported_before = unsupported_.size();
  Status status = ConvertNode(proto, node, frame);
  if (status.ok()) status = BindOutputs(proto, node, frame);
  if (status.code() == Code::kUnsupported) {
    AddUnsupported(proto, node, frame, status.message());
    BindPlaceholders(proto, node, frame);
    return OkStatus();
  }
  if (!status.ok() && !unsupported_.empty()) {
    // Types behind an unsupported node are unknown, so this may be no error of the model.
    BindPlaceholders(proto, node, frame);
    return OkStatus();
  }
  if (unsupported_.size() > unsupported_before) BindPlaceholders(proto, node, frame);
  const std::string context = StrCat("node '", node.name(), "'");
  if (status.message().starts_with(context)) return status;
  return status.WithContext(StrCat(context, " (", proto.op_type(), ")"));
}

Status GraphImport::ConvertNode(NodeProto& proto, NodeImport& node, Frame& frame) {
  if (FunctionProto* function = FindFunction(proto)) {
    return InlineFunction(*function, proto, node, frame);
  }
  const std::string_view domain = CanonicalDomain(proto.domain());
  if (node.opset() == 0) {
    return Status(Code::kInvalidModel,
                  StrCat("the model does not import operator set '", proto.domain(), "'"));
  }
  const OpEntry* entry = FindEntry(domain, proto.op_type());
  if (!entry) {
    const std::vector<std::string> candidates = OpTypesOf(domain);
    const std::string nearest = NearestName(proto.op_type(), candidates);
    return Status(Code::kUnsupported,
                  nearest.empty()
                      ? std::string("there is no such operator here")
                      : StrCat("there is no such operator here; did you mean '", nearest, "'?"));
  }
  if (node.opset() < entry->since) {
    return Status(Code::kUnsupported, StrCat("it is supported from operator set ", entry->since,
                                             " on; convert the model with onnx.version_converter"));
  }
  if (domain.empty() && proto.op_type() == "If" && node.input(0)) {
    const auto condition = KnownElements(*node.input(0));
    if (condition && condition->size() == 1 && (*condition)[0].is_const()) {
      return InlineBranch((*condition)[0].value() != 0, proto, node, frame);
    }
  }
  RETURN_IF_ERROR(ImportAttributes(proto, node, frame));
  return entry->convert(node);
}

Status GraphImport::InlineBranch(bool condition, NodeProto& proto, NodeImport& node, Frame& frame) {
  const char* wanted = condition ? "then_branch" : "else_branch";
  for (AttributeProto& attribute : *proto.mutable_attribute()) {
    if (attribute.name() != wanted || !attribute.has_g()) continue;
    // Importing moves tensors out of the messages, and a function may be called again.
    GraphProto branch = attribute.g();
    Frame body;
    body.graph = frame.graph;
    body.parent = &frame;
    body.opsets = frame.opsets;
    body.prefix = StrCat(node.name(), "/");
    body.external = &external_;
    RETURN_IF_ERROR(BindInitializers(branch, body));
    RETURN_IF_ERROR(ImportNodes(*branch.mutable_node(), body, nullptr));
    for (int i = 0; i < branch.output_size() && i < proto.output_size(); ++i) {
      if (proto.output(i).empty()) continue;
      ASSIGN_OR_RETURN(Value * value, body.Find(branch.output(i).name()));
      node.Bind(static_cast<size_t>(i), value);
    }
    return OkStatus();
  }
  return Status(Code::kInvalidModel, StrCat("attribute '", wanted, "' is missing"));
}

ElementType GraphImport::RegionInputType(const NodeImport& node, size_t index) {
  if (node.op_type() == "Loop" && index < 2) {
    return index == 0 ? ElementType::kI64 : ElementType::kBool;
  }
  // Scan of operator set 8 has the lengths of the sequences first.
  const size_t first = node.op_type() == "Scan" && node.opset() < 9 ? 1 : 0;
  const Value* value = node.input(first + index);
  return value ? value->type().dtype : ElementType::kUndefined;
}

Status GraphImport::ImportAttributes(NodeProto& proto, NodeImport& node, Frame& frame) {
  RETURN_IF_ERROR(FindCaptures(proto, node, frame));
  for (AttributeProto& attribute : *proto.mutable_attribute()) {
    AttributeProto* source = &attribute;
    if (!attribute.ref_attr_name().empty()) {
      const Frame* body = &frame;
      while (!body->call_attributes && body->parent) body = body->parent;
      if (!body->call_attributes) {
        return Status(Code::kInvalidModel, StrCat("attribute '", attribute.name(),
                                                  "' refers to an attribute of no function"));
      }
      const auto it = body->call_attributes->find(attribute.ref_attr_name());
      if (it == body->call_attributes->end()) continue;
      source = it->second;
    }
    auto value = ImportAttribute(*source, node, frame);
    if (!value.ok()) {
      return value.status().WithContext(StrCat("attribute '", attribute.name(), "'"));
    }
    node.attributes[attribute.name()] = *std::move(value);
  }
  return OkStatus();
}

Status GraphImport::FindCaptures(NodeProto& proto, NodeImport& node, Frame& frame) {
  for (const std::string& name : FreeNames(proto)) {
    ASSIGN_OR_RETURN(Value * value, frame.Find(name));
    if (value && !value->is_constant() &&
        std::find(node.captures.begin(), node.captures.end(), value) == node.captures.end()) {
      node.captures.push_back(value);
    }
  }
  return OkStatus();
}

Result<Region> GraphImport::ImportRegion(GraphProto& proto, const NodeImport& node, Frame& outer) {
  auto region = std::make_shared<Graph>(proto.name().empty() ? "region" : proto.name());
  Frame frame;
  frame.graph = region.get();
  frame.parent = &outer;
  frame.opsets = outer.opsets;
  frame.prefix = outer.prefix;
  frame.external = &external_;
  RETURN_IF_ERROR(BindInitializers(proto, frame));
  for (const ValueInfoProto& info : proto.input()) {
    // Without a declaration: converters ask for element types, inference finds the rest.
    TensorType type(RegionInputType(node, region->inputs().size()));
    if (info.has_type()) {
      ASSIGN_OR_RETURN(type, ImportType(info.type(), info.name()));
    }
    frame.values[info.name()] = region->AddInput(info.name(), std::move(type));
  }
  std::map<const Value*, Value*> inner;
  for (const Value* outer_value : node.captures) {
    Value* input = region->AddInput(outer_value->name(), outer_value->type());
    input->set_elements(outer_value->elements());
    inner[outer_value] = input;
  }
  // Names of the enclosing frames that stand for captured values.
  for (Frame* scope = &outer; scope; scope = scope->parent) {
    for (const auto& [name, value] : scope->values) {
      const auto it = inner.find(value);
      if (it != inner.end()) frame.values.try_emplace(name, it->second);
    }
  }
  RETURN_IF_ERROR(ImportNodes(*proto.mutable_node(), frame, nullptr));
  for (const ValueInfoProto& output : proto.output()) {
    if (!frame.Knows(output.name())) {
      return Status(Code::kInvalidModel,
                    StrCat("output '", output.name(), "' of a subgraph is produced by no node"));
    }
    ASSIGN_OR_RETURN(Value * value, frame.Find(output.name()));
    if (!value) return Status(Code::kInvalidModel, "an absent value is a subgraph's output");
    region->AddOutput(value, output.name());
  }
  return region;
}

FunctionProto* GraphImport::FindFunction(const NodeProto& proto) {
  for (FunctionProto& function : *model_.mutable_functions()) {
    if (function.name() == proto.op_type() && function.overload() == proto.overload() &&
        CanonicalDomain(function.domain()) == CanonicalDomain(proto.domain())) {
      return &function;
    }
  }
  return nullptr;
}

Status GraphImport::InlineFunction(FunctionProto& function, NodeProto& proto, NodeImport& node,
                                   Frame& frame) {
  if (std::find(calls_.begin(), calls_.end(), &function) != calls_.end()) {
    return Status(Code::kInvalidModel, StrCat("function '", function.name(), "' calls itself"));
  }
  Opsets opsets;
  for (const OperatorSetIdProto& id : function.opset_import()) {
    opsets[std::string(CanonicalDomain(id.domain()))] = id.version();
  }
  std::map<std::string, AttributeProto*> attributes;
  for (AttributeProto& attribute : *function.mutable_attribute_proto()) {
    attributes[attribute.name()] = &attribute;
  }
  for (AttributeProto& attribute : *proto.mutable_attribute()) {
    if (attribute.ref_attr_name().empty()) {
      attributes[attribute.name()] = &attribute;
    } else if (frame.call_attributes) {
      const auto it = frame.call_attributes->find(attribute.ref_attr_name());
      if (it != frame.call_attributes->end()) attributes[attribute.name()] = it->second;
    }
  }
  Frame body;
  body.graph = frame.graph;
  body.opsets = &opsets;
  body.call_attributes = &attributes;
  body.prefix = StrCat(node.name(), "/");
  body.external = &external_;
  for (int i = 0; i < function.input_size(); ++i) {
    body.values[function.input(i)] = node.input(static_cast<size_t>(i));
  }
  // Importing moves tensors out of the messages, and a function may be called again.
  FunctionProto copy = function;
  calls_.push_back(&function);
  const Status status = ImportNodes(*copy.mutable_node(), body, nullptr);
  calls_.pop_back();
  RETURN_IF_ERROR(status);
  for (int i = 0; i < function.output_size() && i < proto.output_size(); ++i) {
    if (proto.output(i).empty()) continue;
    if (!body.Knows(function.output(i))) {
      return Status(Code::kInvalidModel, StrCat("function '", function.name(), "': output '",
                                                function.output(i), "' is produced by no node"));
    }
    ASSIGN_OR_RETURN(Value * value, body.Find(function.output(i)));
    node.Bind(static_cast<size_t>(i), value);
  }
  return OkStatus();
}

Status GraphImport::BindOutputs(const NodeProto& proto, NodeImport& node, Frame& frame) {
  for (size_t i = 0; i < node.num_outputs(); ++i) {
    const std::string& name = proto.output(static_cast<int>(i));
    if (name.empty()) continue;
    Value* value = node.outputs()[i];
    if (!value) {
      return Status(Code::kUnsupported, StrCat("output ", i, " ('", name, "') is not supported"));
    }
    frame.values[name] = value;
    RETURN_IF_ERROR(MergeDeclaredType(name, value, node, frame));
  }
  return OkStatus();
}

Status GraphImport::MergeDeclaredType(const std::string& name, Value* value, const NodeImport& node,
                                      Frame& frame) {
  const auto it = frame.declared.find(name);
  if (it == frame.declared.end() || !it->second.first->has_type()) return OkStatus();
  auto declared = ImportType(it->second.first->type(), name);
  if (!declared.ok()) return OkStatus();
  TensorType type = value->type();
  auto contradiction = [&](std::string_view what) {
    return Status(Code::kInvalidModel,
                  StrCat("tensor '", name, "': the model's ", it->second.second, " declares ",
                         declared->ToString(), ", inference from node '", node.name(), "' gives ",
                         value->type().ToString(), " (", what, ")"));
  };
  if (type.dtype == ElementType::kUndefined) type.dtype = declared->dtype;
  if (type.dtype != declared->dtype) return contradiction("element types differ");
  if (type.kind != declared->kind || type.kind != ValueKind::kTensor || !declared->dims) {
    value->set_type(std::move(type));
    return OkStatus();
  }
  if (!type.dims) {
    Dims dims;
    for (const Dim& dim : *declared->dims) dims.push_back(dim.Substitute(symbols_));
    type.dims = std::move(dims);
  } else if (type.dims->size() != declared->dims->size()) {
    return contradiction("ranks differ");
  } else {
    for (size_t axis = 0; axis < type.dims->size(); ++axis) {
      Dim& inferred = (*type.dims)[axis];
      const Dim& stated = (*declared->dims)[axis];
      const auto symbol = inferred.symbol();
      if (symbol && symbol->starts_with("?") && stated.is_const()) {
        inferred = stated;
      } else if (inferred.is_const() && stated.is_const() && !(inferred == stated)) {
        return contradiction(StrCat("axis ", axis));
      }
    }
  }
  value->set_type(std::move(type));
  return OkStatus();
}

void GraphImport::AddUnsupported(const NodeProto& proto, const NodeImport& node, const Frame& frame,
                                 std::string reason) {
  UnsupportedNode entry;
  entry.name = node.name();
  entry.op = QualifiedOp(proto, frame);
  entry.operands = DescribeOperands(node);
  // Inference puts the node in front of its messages, which the report says already.
  const std::string context = StrCat("node '", node.name(), "' (", proto.op_type(), "): ");
  if (reason.starts_with(context)) reason.erase(0, context.size());
  const size_t split = reason.find("; ");
  entry.reason = reason.substr(0, split);
  if (split != std::string::npos) entry.remedy = reason.substr(split + 2);
  unsupported_.push_back(std::move(entry));
}

void GraphImport::BindPlaceholders(const NodeProto& proto, NodeImport& node, Frame& frame) {
  for (const std::string& name : proto.output()) {
    if (name.empty()) continue;
    Value* value = frame.graph->AddInput(StrCat(node.name(), "/", name), TensorType());
    frame.values[name] = value;
    const auto it = frame.declared.find(name);
    if (it == frame.declared.end()) continue;
    if (auto type = ImportType(it->second.first->type(), name); type.ok()) value->set_type(*type);
  }
}

}  // namespace cairn::onnx
