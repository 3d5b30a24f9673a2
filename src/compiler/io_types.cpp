// SPDX-License-Identifier: Apache-2.0
// Casts and layout changes at the border of the graph.
#include "compiler/io_types.h"

#include <algorithm>

#include "passes/rewrite.h"

namespace cairn::compiler {
namespace {

constexpr int64_t kBlock = 16;

/// Builds chains of one-operand nodes, either behind everything or before everything.
class Chain {
 public:
  Chain(Graph& graph, Value* start, Node* before)
      : graph_(graph), value_(start), before_(before), name_(start->name()) {}

  Status Cast(ElementType to) {
    if (value_->type().dtype == to) return OkStatus();
    return Append("Cast", {}, {{"to", TensorType(to)}});
  }
  Status Transpose(const Ints& perm) { return Append("Transpose", {}, {{"perm", perm}}); }
  Status Reshape(const Ints& shape) { return Append("Reshape", {Constant(shape)}, {}); }
  Status KeepChannels(int64_t count) {
    return Append("Slice", {Constant({0}), Constant({count}), Constant({1})}, {});
  }
  Status AddChannels(int64_t count) {
    return Append("Pad", {Constant({0, 0, 0, 0, 0, count, 0, 0})}, {});
  }
  Value* value() const { return value_; }

 private:
  Value* Constant(const Ints& values) { return AddInts(graph_, name_ + "_layout", values); }

  Status Append(const std::string& op, const std::vector<Value*>& operands,
                const Attributes& attributes) {
    std::vector<Value*> inputs = {value_};
    inputs.insert(inputs.end(), operands.begin(), operands.end());
    ASSIGN_OR_RETURN(Node * node, BuildNode(graph_, op, StrCat(name_, "_", op), std::move(inputs),
                                            attributes, before_, {}));
    value_ = node->output();
    return OkStatus();
  }

  Graph& graph_;
  Value* value_;
  Node* before_;
  std::string name_;
};

int64_t Blocks(int64_t channels) { return (channels + kBlock - 1) / kBlock; }

/// The concrete shape of a 4-D value.
std::optional<Shape> ImageShape(const Value& value) {
  if (!value.type().dims) return std::nullopt;
  auto shape = ConstDims(*value.type().dims);
  return shape && shape->size() == 4 ? shape : std::nullopt;
}

void Refuse(std::string_view parameter, std::string_view value, std::string_view reason,
            ErrorReport& errors) {
  errors.Add("E10001", {{"value", value}, {"parameter", parameter}, {"reason", reason}});
}

bool Report(const Status& status, ErrorReport& errors) {
  if (!status.ok()) errors.AddText("E19999", StrCat("inputs and outputs: ", status.ToString()));
  return status.ok();
}

Value* FindInput(const Graph& graph, const std::string& name, ErrorReport& errors) {
  std::vector<std::string> names;
  for (Value* input : graph.inputs()) {
    if (input->name() == name) return input;
    names.push_back(StrCat("'", input->name(), "'"));
  }
  const bool exists = graph.FindNode(name) || graph.FindValue(name);
  errors.Add(exists ? "E10017" : "E10016", {{"opname", name}, {"parameter", "--input_fp16_nodes"}});
  errors.AddDetail(StrCat("the inputs of the model are ", StrJoin(names, ", ")));
  return nullptr;
}

/// Gives the readers of `input` what they had before the input became f16.
Status ConvertInput(Graph& graph, Value* input, bool blocked) {
  const TensorType old_type = input->type();
  const std::vector<Use> uses = input->uses();
  std::vector<size_t> output_slots;
  for (size_t i = 0; i < graph.outputs().size(); ++i) {
    if (graph.outputs()[i] == input) output_slots.push_back(i);
  }
  const std::vector<Node*> nodes = graph.Nodes();
  TensorType type(ElementType::kF16, old_type.dims ? *old_type.dims : Dims());
  if (!old_type.dims) type.dims.reset();
  Shape shape;
  if (blocked) {
    shape = *ImageShape(*input);
    type.dims =
        Dims{Dim(shape[0]), Dim(Blocks(shape[1])), Dim(shape[2]), Dim(shape[3]), Dim(kBlock)};
  }
  input->set_type(type);
  Chain chain(graph, input, nodes.empty() ? nullptr : nodes.front());
  if (blocked) {
    RETURN_IF_ERROR(chain.Transpose({0, 1, 4, 2, 3}));
    RETURN_IF_ERROR(chain.Reshape({shape[0], Blocks(shape[1]) * kBlock, shape[2], shape[3]}));
    if (shape[1] % kBlock != 0) RETURN_IF_ERROR(chain.KeepChannels(shape[1]));
  }
  RETURN_IF_ERROR(chain.Cast(old_type.dtype));
  for (const Use& use : uses) use.node->SetInput(static_cast<size_t>(use.input), chain.value());
  for (const size_t slot : output_slots) graph.SetOutput(slot, chain.value());
  return OkStatus();
}

bool ApplyToInput(Graph& graph, const HalfInput& half, IoLayouts& layouts, ErrorReport& errors) {
  Value* input = FindInput(graph, half.name, errors);
  if (!input) return false;
  if (input->type().kind != ValueKind::kTensor || !IsPlainFloat(input->type().dtype)) {
    Refuse("--input_fp16_nodes", half.name,
           StrCat("the input is ", input->type().ToString(),
                  "; only inputs of a float type can be ", "given as float16"),
           errors);
    return false;
  }
  if (half.blocked && !ImageShape(*input)) {
    Refuse("--is_input_adjust_hw_layout", half.name,
           StrCat("NC1HWC0 needs a 4-D input of fixed shape, found ", input->type().ToString()),
           errors);
    return false;
  }
  for (size_t i = 0; i < graph.inputs().size(); ++i) {
    if (graph.inputs()[i] == input) layouts.blocked_inputs[i] = half.blocked;
  }
  return Report(ConvertInput(graph, input, half.blocked), errors);
}

bool Names(const std::string& public_name, const NodeOutputType& wanted) {
  const std::string prefix = StrCat(wanted.node, ":", wanted.index);
  return public_name == prefix || public_name.starts_with(prefix + ":");
}

Status ConvertOutput(Graph& graph, size_t index, ElementType type, bool blocked) {
  Value* value = graph.outputs()[index];
  Chain chain(graph, value, nullptr);
  RETURN_IF_ERROR(chain.Cast(type));
  if (blocked) {
    const Shape shape = *ImageShape(*value);
    const int64_t blocks = Blocks(shape[1]);
    if (shape[1] % kBlock != 0) RETURN_IF_ERROR(chain.AddChannels(blocks * kBlock - shape[1]));
    RETURN_IF_ERROR(chain.Reshape({shape[0], blocks, kBlock, shape[2], shape[3]}));
    RETURN_IF_ERROR(chain.Transpose({0, 1, 3, 4, 2}));
  }
  if (chain.value() != value) graph.SetOutput(index, chain.value());
  return OkStatus();
}

class OutputConverter {
 public:
  OutputConverter(Graph& graph, const IoTypeOptions& options, const std::vector<std::string>& names,
                  IoLayouts& layouts, ErrorReport& errors)
      : graph_(graph), options_(options), names_(names), layouts_(layouts), errors_(errors) {}

  bool Run() {
    for (const NodeOutputType& wanted : options_.output_types) {
      if (!IsOutput(wanted)) return false;
    }
    for (size_t i = 0; i < graph_.outputs().size(); ++i) {
      if (!Convert(i)) return false;
    }
    return true;
  }

 private:
  bool IsOutput(const NodeOutputType& wanted) {
    const auto fits = [&](const std::string& name) { return Names(name, wanted); };
    if (std::ranges::any_of(names_, fits)) return true;
    Refuse("--output_type", StrCat(wanted.node, ":", wanted.index),
           StrCat("it is no output of the compiled model; the outputs are ", StrJoin(names_, ", ")),
           errors_);
    return false;
  }

  bool Convert(size_t i) {
    const Value& value = *graph_.outputs()[i];
    const bool blocked = i < options_.blocked_outputs.size() && options_.blocked_outputs[i];
    const ElementType own = value.type().dtype;
    ElementType type = blocked ? ElementType::kF16 : own;
    if (options_.output_type) type = *options_.output_type;
    for (const NodeOutputType& wanted : options_.output_types) {
      if (Names(names_[i], wanted)) type = wanted.type;
    }
    if (type == own && !blocked) return true;
    if (value.type().kind != ValueKind::kTensor || own == ElementType::kString) {
      Refuse("--output_type", names_[i],
             StrCat("the output is ", value.type().ToString(), ", which has no number type"),
             errors_);
      return false;
    }
    if (blocked && !ImageShape(value)) {
      Refuse("--is_output_adjust_hw_layout", names_[i],
             StrCat("NC1HWC0 needs a 4-D output of fixed shape, found ", value.type().ToString()),
             errors_);
      return false;
    }
    layouts_.blocked_outputs[i] = blocked;
    return Report(ConvertOutput(graph_, i, type, blocked), errors_);
  }

  Graph& graph_;
  const IoTypeOptions& options_;
  const std::vector<std::string>& names_;
  IoLayouts& layouts_;
  ErrorReport& errors_;
};

}  // namespace

bool ApplyIoTypes(Graph& graph, const IoTypeOptions& options,
                  const std::vector<std::string>& output_names, IoLayouts& layouts,
                  ErrorReport& errors) {
  layouts.blocked_inputs.assign(graph.inputs().size(), false);
  layouts.blocked_outputs.assign(graph.outputs().size(), false);
  for (const HalfInput& half : options.half_inputs) {
    if (!ApplyToInput(graph, half, layouts, errors)) return false;
  }
  return OutputConverter(graph, options, output_names, layouts, errors).Run();
}

}  // namespace cairn::compiler
