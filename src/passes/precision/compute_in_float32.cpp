// SPDX-License-Identifier: Apache-2.0
// [operators on f16 or bf16] => [the same on f32]: a region computes in f32, and only where it
// meets what keeps 16 bits (model inputs and outputs, explicit casts, plain movement) does a Cast
// stay.
#include <algorithm>
#include <map>

#include "passes/passes.h"
#include "passes/rewrite.h"

namespace cairn {
namespace {

bool IsHalf(const Value* value) {
  if (!value || value->type().kind != ValueKind::kTensor) return false;
  const ElementType type = value->type().dtype;
  return type == ElementType::kF16 || type == ElementType::kBf16;
}

bool IsHalf(ElementType type) { return type == ElementType::kF16 || type == ElementType::kBf16; }

bool HoldsOnlyTensors(const Node& node) {
  const auto is_tensor = [](const Value* value) {
    return !value || value->type().kind == ValueKind::kTensor;
  };
  return std::ranges::all_of(node.inputs(), is_tensor) &&
         std::ranges::all_of(node.outputs(), is_tensor);
}

/// The bits of the operand, or the type it names, are the operator's meaning.
bool IsAboutTypes(const Node& node, bool everything) {
  if (node.op() == "BitCast") return true;
  return !everything && (node.op() == "Cast" || node.op() == "CastLike");
}

/// Only places or counts elements, so it may stay in 16 bits.
bool OnlyMoves(const Node& node) {
  const OpDef* def = FindOp(node.op());
  return def->Has(kDataMovement) || def->Has(kShapeOnly);
}

Result<Tensor> ToF32(const Tensor& half) {
  ASSIGN_OR_RETURN(Tensor wide, Tensor::Allocate(ElementType::kF32, half.shape()));
  float* out = wide.mutable_data<float>();
  for (int64_t i = 0; i < half.num_elements(); ++i) {
    out[i] = static_cast<float>(half.GetDouble(i));
  }
  return wide;
}

/// Element types and tensors among the attributes, widened.
Result<Attributes> WideAttributes(const Attributes& attributes) {
  Attributes wide = attributes;
  for (auto& [name, attribute] : wide) {
    if (auto* type = std::get_if<TensorType>(&attribute); type && IsHalf(type->dtype)) {
      type->dtype = ElementType::kF32;
    }
    if (auto* tensor = std::get_if<Tensor>(&attribute); tensor && IsHalf(tensor->dtype())) {
      ASSIGN_OR_RETURN(*tensor, ToF32(*tensor));
    }
  }
  return wide;
}

/// Widens one graph; regions are graphs of their own, whose inputs and outputs keep their types.
class Widener {
 public:
  Widener(Graph& graph, bool everything) : graph_(graph), everything_(everything) {}

  Result<int> Run() {
    int changes = 0;
    for (Node* node : graph_.Nodes()) {
      bool widened = false;
      if (ShouldWiden(*node)) {
        ASSIGN_OR_RETURN(widened, Widen(*node));
      }
      if (!widened) RETURN_IF_ERROR(RestoreInputs(*node));
      changes += widened ? 1 : 0;
    }
    for (size_t i = 0; i < graph_.outputs().size(); ++i) {
      ASSIGN_OR_RETURN(Value * output, Narrow(graph_.outputs()[i], nullptr));
      if (output != graph_.outputs()[i]) graph_.SetOutput(i, output);
    }
    for (Node* cast : bypassed_) {
      if (graph_.Contains(cast) && IsDead(*cast)) EraseUnused(graph_, cast);
    }
    return changes;
  }

 private:
  bool IsWidened(const Value* value) const { return value && narrow_type_.contains(value); }

  bool ShouldWiden(const Node& node) const {
    if (node.epilogue() || !node.Regions().empty() || !HoldsOnlyTensors(node)) return false;
    if (IsAboutTypes(node, everything_)) return false;
    const auto is_widened = [this](const Value* value) { return IsWidened(value); };
    if (OnlyMoves(node)) return std::ranges::any_of(node.inputs(), is_widened);
    const auto is_half = [](const Value* value) { return IsHalf(value); };
    return std::ranges::any_of(node.inputs(), is_widened) ||
           std::ranges::any_of(node.inputs(), is_half) ||
           std::ranges::any_of(node.outputs(), is_half);
  }

  /// False, and nothing changed, when the operator does not give f32 for f32.
  Result<bool> Widen(Node& node) {
    const std::vector<Value*> inputs = node.inputs();
    const Attributes attributes = node.attributes();
    std::vector<TensorType> types;
    for (const Value* output : node.outputs()) {
      types.push_back(output ? output->type() : TensorType());
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
      ASSIGN_OR_RETURN(Value * wide, Wide(inputs[i], &node));
      node.SetInput(i, wide);
    }
    ASSIGN_OR_RETURN(const Attributes wide_attributes, WideAttributes(attributes));
    for (const auto& [name, attribute] : wide_attributes) node.Set(name, attribute);
    if (InferNode(node).ok() && GivesWideTypes(node, types)) {
      for (size_t i = 0; i < types.size(); ++i) {
        if (node.output(i) && IsHalf(types[i].dtype)) narrow_type_[node.output(i)] = types[i].dtype;
      }
      return true;
    }
    for (size_t i = 0; i < inputs.size(); ++i) node.SetInput(i, inputs[i]);
    for (const auto& [name, attribute] : attributes) node.Set(name, attribute);
    for (size_t i = 0; i < types.size(); ++i) {
      if (node.output(i)) node.output(i)->set_type(types[i]);
    }
    return false;
  }

  static bool GivesWideTypes(const Node& node, const std::vector<TensorType>& before) {
    for (size_t i = 0; i < before.size(); ++i) {
      if (!node.output(i)) continue;
      const ElementType was = before[i].dtype, is = node.output(i)->type().dtype;
      if (is != (IsHalf(was) ? ElementType::kF32 : was)) return false;
    }
    return true;
  }

  /// Readers that keep their types get those of the original values back.
  Status RestoreInputs(Node& node) {
    for (size_t i = 0; i < node.inputs().size(); ++i) {
      Value* input = node.inputs()[i];
      if (!IsWidened(input) || KeepsMeaning(node)) continue;
      ASSIGN_OR_RETURN(Value * narrow, Narrow(input, &node));
      node.SetInput(i, narrow);
    }
    return OkStatus();
  }

  /// A cast away from 16 bits reads the wide value as well.
  static bool KeepsMeaning(const Node& node) {
    return node.op() == "Cast" && !IsHalf(node.output()->type().dtype);
  }

  Result<Value*> Wide(Value* value, Node* reader) {
    if (!IsHalf(value) || IsWidened(value)) return value;
    if (const auto known = wide_.find(value); known != wide_.end()) return known->second;
    Value* wide = nullptr;
    if (value->is_constant()) {
      ASSIGN_OR_RETURN(Tensor tensor, ToF32(value->constant()));
      wide = graph_.AddConstant(value->name(), std::move(tensor));
    } else if (Node* cast = ProducerOf(value, "Cast");
               cast && cast->input(0)->type().dtype == ElementType::kF32) {
      // There and back again is a rounding.
      bypassed_.push_back(cast);
      ASSIGN_OR_RETURN(wide,
                       Convert("RoundToType", value->type().dtype, cast->input(0), reader, cast));
    } else {
      ASSIGN_OR_RETURN(wide, Convert("Cast", ElementType::kF32, value, reader, reader));
    }
    wide_[value] = wide;
    return wide;
  }

  /// The value in the type that the model gave it; `reader`: null for the graph's outputs.
  Result<Value*> Narrow(Value* value, Node* reader) {
    const auto type = narrow_type_.find(value);
    if (type == narrow_type_.end()) return value;
    Value*& narrow = narrow_[value];
    if (!narrow) {
      ASSIGN_OR_RETURN(narrow, Convert("Cast", type->second, value, reader, value->producer()));
    }
    return narrow;
  }

  /// Placed before the first reader, so that every later one finds it made.
  Result<Value*> Convert(const char* op, ElementType to, Value* value, Node* first_reader,
                         const Node* origin) {
    Attributes attributes;
    attributes["to"] = TensorType(to);
    std::vector<const Node*> from;
    if (origin) from.push_back(origin);
    ASSIGN_OR_RETURN(Node * cast, BuildNode(graph_, op, StrCat(value->name(), "_", to), {value},
                                            std::move(attributes), first_reader, from));
    return cast->output();
  }

  Graph& graph_;
  const bool everything_;
  std::map<const Value*, ElementType> narrow_type_;  ///< Widened values: the type they had.
  std::map<const Value*, Value*> wide_, narrow_;
  std::vector<Node*> bypassed_;  ///< Casts of the model that became roundings.
};

}  // namespace

Result<int> ComputeInFloat32(Graph& graph, const PassContext& context) {
  return Widener(graph, context.only_float32).Run();
}

}  // namespace cairn
