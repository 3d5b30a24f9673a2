// SPDX-License-Identifier: Apache-2.0
// The list of operators, and the driver of type inference.
#include "ops/op_def.h"

#include <algorithm>

namespace cairn {

#define CAIRN_OP(Function) OpDef Function();
#include "ops/op_list.def"
#undef CAIRN_OP

namespace {

constexpr size_t kMaxKnownElements = 4096;

const std::vector<OpDef>& Definitions() {
  static const std::vector<OpDef> definitions = [] {
    std::vector<OpDef> list;
#define CAIRN_OP(Function) list.push_back(Function());
#include "ops/op_list.def"
#undef CAIRN_OP
    std::sort(list.begin(), list.end(),
              [](const OpDef& a, const OpDef& b) { return a.name() < b.name(); });
    return list;
  }();
  return definitions;
}

bool IsKind(const Attribute& attribute, AttrKind kind) {
  switch (kind) {
    case AttrKind::kInt:
      return std::holds_alternative<int64_t>(attribute);
    case AttrKind::kFloat:
      return std::holds_alternative<float>(attribute);
    case AttrKind::kString:
      return std::holds_alternative<std::string>(attribute);
    case AttrKind::kInts:
      return std::holds_alternative<Ints>(attribute);
    case AttrKind::kFloats:
      return std::holds_alternative<Floats>(attribute);
    case AttrKind::kStrings:
      return std::holds_alternative<Strings>(attribute);
    case AttrKind::kTensor:
      return std::holds_alternative<Tensor>(attribute);
    case AttrKind::kRegion:
      return std::holds_alternative<Region>(attribute);
    case AttrKind::kRegions:
      return std::holds_alternative<std::vector<Region>>(attribute);
    case AttrKind::kType:
      return std::holds_alternative<TensorType>(attribute);
  }
  return false;
}

Status CheckOperands(const Node& node, const OpDef& def) {
  const auto& inputs = def.inputs();
  const bool variadic = !inputs.empty() && inputs.back().variadic;
  const size_t given = node.num_formal_inputs();
  if (given > inputs.size() && !variadic) {
    return Status(Code::kInvalidModel,
                  StrCat("has ", given, " inputs, expected at most ", inputs.size()));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].optional && (i >= given || node.input(i) == nullptr)) {
      return Status(Code::kInvalidModel,
                    StrCat("input ", i, " ('", inputs[i].name, "') is missing"));
    }
  }
  if (node.outputs().size() > def.outputs().size() && !def.variadic_output()) {
    return Status(Code::kInvalidModel, StrCat("has ", node.outputs().size(),
                                              " outputs, expected at most ", def.outputs().size()));
  }
  return OkStatus();
}

/// Strings and complex numbers reach only operators that say so.
Status CheckDtypes(const Node& node, const OpDef& def) {
  const bool any = def.Has(kDataMovement) || def.Has(kShapeOnly) || def.Has(kAnyDtype);
  for (size_t i = 0; i < node.num_formal_inputs(); ++i) {
    const Value* input = node.input(i);
    if (!input) continue;
    const ElementType dtype = input->type().dtype;
    const bool numeric =
        dtype != ElementType::kString && dtype != ElementType::kC64 && dtype != ElementType::kC128;
    const bool kind = input->type().kind == ValueKind::kTensor || def.Has(kAnyKind);
    if ((any || numeric) && kind) continue;
    return Status(Code::kUnsupported,
                  StrCat("input ", i, " ('", input->name(), "') is ", input->type().ToString(),
                         ", which the operator does not take here"));
  }
  return OkStatus();
}

/// Checks kinds of given attributes and fills in defaults of absent ones.
Status CompleteAttributes(Node& node, const OpDef& def) {
  for (const AttrDef& attr : def.attrs()) {
    auto it = node.attributes().find(attr.name);
    if (it == node.attributes().end()) {
      if (attr.default_value) {
        node.Set(attr.name, *attr.default_value);
      } else if (!attr.optional) {
        return Status(Code::kInvalidModel, StrCat("attribute '", attr.name, "' is missing"));
      }
    } else if (!IsKind(it->second, attr.kind)) {
      return Status(Code::kInvalidModel, StrCat("attribute '", attr.name, "' has the wrong kind"));
    }
  }
  return OkStatus();
}

/// Squaring a size in every layer doubles its expression; beyond this length nothing is gained by
/// knowing it.
bool IsTooLong(const Dim& dim) {
  constexpr size_t kMaxLength = 2000;
  return !dim.is_const() && dim.ToString().size() > kMaxLength;
}

/// Whether an integer type holds `element` without wrapping. Expressions stand for sizes, which the
/// 32-bit and 64-bit types hold.
bool Represents(ElementType dtype, const Dim& element) {
  const bool wide = dtype == ElementType::kI64 || dtype == ElementType::kI32;
  if (!element.is_const()) return wide || (dtype == ElementType::kBool && !element.overflowed());
  const int64_t value = element.value();
  if (dtype == ElementType::kI64) return true;
  if (dtype == ElementType::kBool) return value == 0 || value == 1;
  if (!IsInteger(dtype) || dtype == ElementType::kU64) return false;
  const int bits = ElementBits(dtype) - (IsSignedInteger(dtype) ? 1 : 0);
  const int64_t limit = int64_t{1} << bits;
  return value < limit && value >= (IsSignedInteger(dtype) ? -limit : 0);
}

Status InferEpilogue(Node& node) {
  Graph& region = **node.epilogue();
  std::vector<TensorType> types = {node.output(0)->type()};
  for (size_t i = node.num_formal_inputs(); i < node.inputs().size(); ++i) {
    types.push_back(node.input(i)->type());
  }
  InferContext context(node);
  ASSIGN_OR_RETURN(const std::vector<TensorType> outputs, context.InferRegion(region, types));
  if (outputs.size() != 1) {
    return Status(Code::kInvalidModel, "an epilogue has exactly one output");
  }
  node.output(0)->set_type(outputs[0]);
  return OkStatus();
}

Status InferNodeUnnamed(Node& node) {
  const OpDef* def = FindOp(node.op());
  if (!def) return Status(Code::kUnsupported, "the operator has no definition");
  RETURN_IF_ERROR(CheckOperands(node, *def));
  RETURN_IF_ERROR(CheckDtypes(node, *def));
  RETURN_IF_ERROR(CompleteAttributes(node, *def));
  InferContext context(node);
  RETURN_IF_ERROR(def->infer()(context));
  return node.epilogue() ? InferEpilogue(node) : OkStatus();
}

}  // namespace

std::optional<Dims> KnownElements(const Value& value) {
  if (value.elements()) return value.elements();
  if (!value.is_constant()) return std::nullopt;
  const Tensor& tensor = value.constant();
  const bool integral = (IsInteger(tensor.dtype()) && tensor.dtype() != ElementType::kU64) ||
                        tensor.dtype() == ElementType::kBool;
  if (!integral || tensor.num_elements() > static_cast<int64_t>(kMaxKnownElements)) {
    return std::nullopt;
  }
  Dims elements;
  for (int64_t i = 0; i < tensor.num_elements(); ++i) elements.emplace_back(tensor.GetInt(i));
  return elements;
}

std::optional<Dims> InferContext::Elements(size_t i) const {
  return has_input(i) ? KnownElements(*node_.input(i)) : std::nullopt;
}

std::optional<std::vector<int64_t>> InferContext::Ints(size_t i) const {
  const auto elements = Elements(i);
  return elements ? ConstDims(*elements) : std::nullopt;
}

void InferContext::SetOutput(size_t i, TensorType type) {
  Value* value = node_.output(i);
  if (!value) return;
  for (size_t d = 0; type.dims && d < type.dims->size(); ++d) {
    if (IsTooLong((*type.dims)[d])) (*type.dims)[d] = NewSymbol();
  }
  // Known sizes say more than symbols: a dim that was already a number stays one.
  if (type.dims && value->type().dims && type.dims->size() == value->type().dims->size()) {
    for (size_t d = 0; d < type.dims->size(); ++d) {
      const auto symbol = (*type.dims)[d].symbol();
      if (symbol && symbol->starts_with("?")) (*type.dims)[d] = (*value->type().dims)[d];
    }
  } else if (!type.dims && value->type().dims && value->type().dtype == type.dtype) {
    type.dims = value->type().dims;
  }
  value->set_type(std::move(type));
  value->set_elements(std::nullopt);
}

void InferContext::SetElements(size_t i, Dims elements) {
  Value* value = node_.output(i);
  if (!value || elements.size() > kMaxKnownElements) return;
  for (const Dim& element : elements) {
    if (!Represents(value->type().dtype, element) || IsTooLong(element)) return;
  }
  value->set_elements(std::move(elements));
}

Result<std::vector<TensorType>> InferContext::InferRegion(Graph& region,
                                                          const std::vector<TensorType>& types) {
  if (types.size() != region.inputs().size()) {
    return Status(Code::kInvalidModel,
                  StrCat("region '", region.name(), "' has ", region.inputs().size(),
                         " inputs, given ", types.size()));
  }
  for (size_t i = 0; i < types.size(); ++i) region.inputs()[i]->set_type(types[i]);
  // Unknown dims of the region and of the graph around it must not share a symbol.
  region.ReserveSymbolsOf(node_.graph());
  RETURN_IF_ERROR(InferGraph(region));
  node_.graph().ReserveSymbolsOf(region);
  std::vector<TensorType> outputs;
  for (const Value* output : region.outputs()) outputs.push_back(output->type());
  return outputs;
}

Result<Tensor*> EvalContext::NewOutput(size_t i, ElementType dtype, Shape shape) {
  if (i >= outputs_.size()) outputs_.resize(i + 1);
  ASSIGN_OR_RETURN(outputs_[i], Tensor::Allocate(dtype, std::move(shape)));
  return &outputs_[i];
}

const OpDef* FindOp(std::string_view op) {
  const auto& list = Definitions();
  auto it =
      std::lower_bound(list.begin(), list.end(), op,
                       [](const OpDef& def, std::string_view name) { return def.name() < name; });
  return it != list.end() && it->name() == op ? &*it : nullptr;
}

const std::vector<const OpDef*>& AllOps() {
  static const std::vector<const OpDef*> ops = [] {
    std::vector<const OpDef*> list;
    for (const OpDef& def : Definitions()) list.push_back(&def);
    return list;
  }();
  return ops;
}

const std::vector<std::string>& AllOpNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const OpDef& def : Definitions()) list.push_back(def.name());
    return list;
  }();
  return names;
}

Status InferNode(Node& node) {
  return InferNodeUnnamed(node).WithContext(StrCat("node '", node.name(), "' (", node.op(), ")"));
}

Status InferGraph(Graph& graph) {
  for (Node* node : graph.Nodes()) RETURN_IF_ERROR(InferNode(*node));
  return OkStatus();
}

}  // namespace cairn
