// SPDX-License-Identifier: Apache-2.0
// Operands, attributes and node makers of one operator's graph.
#include "frontend/singleop/builder.h"

#include "ops/op_def.h"

namespace cairn::singleop {
namespace {

Dims DimsOf(const Shape& shape) { return Dims(shape.begin(), shape.end()); }

bool IsHalf(ElementType type) { return type == ElementType::kF16 || type == ElementType::kBf16; }

}  // namespace

Builder::Builder(const Operator& op) : op_(op), graph_(std::make_unique<Graph>(op.type)) {
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    const InputOperand& input = op.inputs[i];
    Value* value = nullptr;
    if (input.constant.defined())
      value = graph_->AddConstant(StrCat("x", i), input.constant);
    else if (input.dtype != ElementType::kUndefined)
      value = graph_->AddInput(StrCat("x", i), TensorType(input.dtype, DimsOf(input.shape)));
    values_.push_back(value);
  }
}

Result<Value*> Builder::In(size_t i) const {
  if (Has(i)) return values_[i];
  return Status(Code::kInvalidArgument, StrCat("input ", i, " is missing, the operator has ",
                                               op_.inputs.size(), " inputs"));
}

Result<Value*> Builder::Wide(size_t i) {
  ASSIGN_OR_RETURN(Value * value, In(i));
  return IsHalf(value->type().dtype) ? CastTo(value, ElementType::kF32) : value;
}

Result<Ints> Builder::ConstantInts(size_t i) const {
  RETURN_IF_ERROR(In(i).status());
  const Tensor& constant = op_.inputs[i].constant;
  if (!constant.defined())
    return Status(Code::kFailedPrecondition, StrCat("input ", i, " must be a constant"));
  if (!IsInteger(constant.dtype()))
    return Status(Code::kInvalidArgument,
                  StrCat("input ", i, " is ", constant.dtype(), ", expected integers"));
  Ints values;
  for (int64_t k = 0; k < constant.num_elements(); ++k) values.push_back(constant.GetInt(k));
  return values;
}

int64_t Builder::Int(std::string_view name, int64_t fallback) const {
  const int64_t* value = Get<int64_t>(name);
  return value != nullptr ? *value : fallback;
}

float Builder::Float(std::string_view name, float fallback) const {
  if (const float* value = Get<float>(name)) return *value;
  const int64_t* value = Get<int64_t>(name);
  return value != nullptr ? static_cast<float>(*value) : fallback;
}

std::string Builder::String(std::string_view name, std::string_view fallback) const {
  const std::string* value = Get<std::string>(name);
  return value != nullptr ? *value : std::string(fallback);
}

Ints Builder::IntList(std::string_view name, const Ints& fallback) const {
  if (const Ints* values = Get<Ints>(name)) return *values;
  const int64_t* value = Get<int64_t>(name);
  return value != nullptr ? Ints{*value} : fallback;
}

Result<Node*> Builder::MakeNode(
    const std::string& op, std::vector<Value*> inputs, int num_outputs,
    std::initializer_list<std::pair<const char*, Attribute>> attributes) {
  Node* node = graph_->AddNode(op, "", std::move(inputs), num_outputs);
  node->AddOrigins({op_.type});
  for (const auto& [name, value] : attributes) node->Set(name, value);
  const Status status = InferNode(*node);
  if (!status.ok()) return Status(Code::kInvalidArgument, status.message());
  return node;
}

Result<Value*> Builder::Make(const std::string& op, std::vector<Value*> inputs,
                             std::initializer_list<std::pair<const char*, Attribute>> attributes) {
  ASSIGN_OR_RETURN(Node * node, MakeNode(op, std::move(inputs), 1, attributes));
  return node->output();
}

Result<Value*> Builder::CastTo(Value* value, ElementType dtype) {
  if (value->type().dtype == dtype) return value;
  return Make("Cast", {value}, {{"to", TensorType(dtype)}});
}

Status Builder::MakeAlike(Value*& a, Value*& b) {
  const ElementType left = a->type().dtype, right = b->type().dtype;
  if (left == right) return OkStatus();
  ElementType common = left;
  if (IsFloat(left) != IsFloat(right))
    common = IsFloat(left) ? left : right;
  else if (ElementBits(left) != ElementBits(right))
    common = ElementBits(left) > ElementBits(right) ? left : right;
  else if (IsHalf(left))
    common = ElementType::kF32;
  ASSIGN_OR_RETURN(a, CastTo(a, common));
  ASSIGN_OR_RETURN(b, CastTo(b, common));
  return OkStatus();
}

Status Builder::AddOutput(Value* value) {
  const size_t index = graph_->outputs().size();
  if (index >= op_.outputs.size())
    return Status(Code::kInvalidArgument,
                  StrCat("the operator has more outputs than the ", op_.outputs.size(), " given"));
  const OutputOperand& wanted = op_.outputs[index];
  if (wanted.dtype != ElementType::kUndefined) {
    ASSIGN_OR_RETURN(value, CastTo(value, wanted.dtype));
  }
  if (wanted.shape && value->type().is_static() && *value->type().dims != DimsOf(*wanted.shape)) {
    const auto computed = NumElements(*ConstDims(*value->type().dims));
    const auto given = NumElements(*wanted.shape);
    if (!computed.ok() || !given.ok() || *computed != *given)
      return Status(Code::kInvalidArgument,
                    StrCat("output ", index, " is given as ", ShapeToString(*wanted.shape),
                           ", the operator gives ", value->type()));
    ASSIGN_OR_RETURN(value, Make("Reshape", {value, ConstantInts64(*wanted.shape)},
                                 {{"allowzero", int64_t{1}}}));
  }
  // An output of its own: what is an input or a constant is copied.
  if (value->producer() == nullptr || value->is_graph_output()) {
    ASSIGN_OR_RETURN(value, Make("Identity", {value}));
  }
  graph_->AddOutput(value, StrCat("y", index));
  return OkStatus();
}

}  // namespace cairn::singleop
