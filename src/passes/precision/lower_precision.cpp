// SPDX-License-Identifier: Apache-2.0
// [f32 operators that a precision mode puts into a smaller float type] => [the same between
// roundings to that type]: results are those of 16-bit storage with sums in f32.
//
// Values keep their f32 storage, in which the kernels compute. A rounding stands where a value
// leaves or enters such an operator, unless the value is known to be rounded already.
#include <algorithm>
#include <cmath>
#include <map>

#include "passes/passes.h"
#include "passes/rewrite.h"

namespace cairn {
namespace {

using Mode = PrecisionPolicy::Mode;

constexpr double kLargestHalf = 65504.0;

bool IsF32(const Value* value) {
  return value && value->type().kind == ValueKind::kTensor &&
         value->type().dtype == ElementType::kF32;
}

/// Operators whose float operands are no data, or that set types themselves.
bool IsOutside(const Node& node) {
  const std::string& op = node.op();
  return op == "Cast" || op == "CastLike" || op == "BitCast" || op == "RoundToType" ||
         op.find("Quantize") != std::string::npos || op.find("QLinear") != std::string::npos ||
         !node.Regions().empty();
}

/// Whether an operand is data; scales of Resize and thresholds are parameters.
bool IsData(const Node& node, size_t input) {
  if (node.op() == "Resize" || node.op() == "Upsample") return input == 0;
  if (node.op() == "NonMaxSuppression") return input < 2;
  return true;
}

bool OnlyMoves(const Node& node) {
  const OpDef* def = FindOp(node.op());
  return def && def->Has(kDataMovement);
}

/// Results are among the operands, up to the sign.
bool GivesOperands(const Node& node) {
  static constexpr std::string_view kOps[] = {"Abs", "GlobalMaxPool", "Max",       "MaxPool", "Min",
                                              "Neg", "ReduceMax",     "ReduceMin", "Relu"};
  return OnlyMoves(node) || std::ranges::find(kOps, node.op()) != std::end(kOps);
}

class Lowerer {
 public:
  Lowerer(Graph& graph, const PrecisionPolicy& policy) : graph_(graph), policy_(policy) {}

  Result<int> Run() {
    const std::vector<Node*> nodes = graph_.Nodes();
    for (size_t i = 0; i < nodes.size(); ++i) {
      Node* node = nodes[i];
      next_ = i + 1 < nodes.size() ? nodes[i + 1] : nullptr;
      if (IsOutside(*node)) continue;
      if (const OperandTypes* types = policy_.TypesOf(*node)) {
        RETURN_IF_ERROR(Apply(*node, *types));
      } else if (IsLow(*node)) {
        RETURN_IF_ERROR(ApplyToAll(*node, policy_.type));
      } else if (GivesOperands(*node)) {
        CarryOver(*node);
      }
    }
    return changes_;
  }

 private:
  bool IsLow(const Node& node) const {
    if (policy_.IsKept(node) || OnlyMoves(node)) return false;
    switch (policy_.mode) {
      case Mode::kKeep:
        return false;
      case Mode::kMatrix:
        return IsMatrixOp(node.op());
      case Mode::kAll:
        return true;
      case Mode::kMixed:
        if (policy_.black.contains(node.op())) return false;
        return policy_.white.contains(node.op()) || FollowsLow(node);
    }
    return false;
  }

  /// The first operand that is computed comes from a lowered operator.
  bool FollowsLow(const Node& node) const {
    for (const Value* input : node.inputs()) {
      if (IsF32(input) && !input->is_constant()) return IsRounded(input, policy_.type);
    }
    return false;
  }

  Status ApplyToAll(Node& node, ElementType type) {
    OperandTypes types;
    types.inputs.assign(node.inputs().size(), type);
    types.outputs.assign(node.outputs().size(), type);
    return Apply(node, types);
  }

  Status Apply(Node& node, const OperandTypes& types) {
    for (size_t i = 0; i < std::min(types.inputs.size(), node.inputs().size()); ++i) {
      if (!IsSmall(types.inputs[i]) || !IsF32(node.input(i)) || !IsData(node, i)) continue;
      ASSIGN_OR_RETURN(Value * rounded, Rounded(node.inputs()[i], types.inputs[i], node));
      if (rounded != node.inputs()[i]) node.SetInput(i, rounded);
    }
    for (size_t i = 0; i < std::min(types.outputs.size(), node.outputs().size()); ++i) {
      Value* output = node.output(i);
      if (!IsSmall(types.outputs[i]) || !IsF32(output) || output->num_uses() == 0) continue;
      if (GivesOperands(node) && AllRounded(node, types.outputs[i])) {
        rounded_[output] = types.outputs[i];
      } else {
        RETURN_IF_ERROR(RoundOutput(output, types.outputs[i]));
      }
    }
    return OkStatus();
  }

  static bool IsSmall(ElementType type) {
    return type == ElementType::kF16 || type == ElementType::kBf16;
  }

  /// A rounding that a former run or this one has put there counts.
  bool IsRounded(const Value* value, ElementType type) const {
    const auto known = rounded_.find(value);
    if (known != rounded_.end()) return known->second == type;
    const Node* producer = value->producer();
    return producer && producer->op() == "RoundToType" &&
           producer->Get<TensorType>("to")->dtype == type;
  }

  bool AllRounded(const Node& node, ElementType type) const {
    return std::ranges::all_of(
        node.inputs(), [&](const Value* input) { return !IsF32(input) || IsRounded(input, type); });
  }

  void CarryOver(const Node& node) {
    if (!AllRounded(node, policy_.type)) return;
    for (const Value* output : node.outputs()) {
      if (IsF32(output)) rounded_[output] = policy_.type;
    }
  }

  Result<Value*> Rounded(Value* value, ElementType type, Node& reader) {
    if (IsRounded(value, type)) return value;
    Value*& made = made_[{value, type}];
    if (made) return made;
    if (value->is_constant()) {
      ASSIGN_OR_RETURN(made, RoundedConstant(value, type));
      rounded_[made] = type;
    } else {
      ASSIGN_OR_RETURN(made, AddRounding(value, type, &reader));
    }
    return made;
  }

  Result<Value*> RoundedConstant(Value* value, ElementType type) {
    const Tensor& old = value->constant();
    ASSIGN_OR_RETURN(Tensor half, Tensor::Allocate(type, old.shape()));
    ASSIGN_OR_RETURN(Tensor rounded, Tensor::Allocate(ElementType::kF32, old.shape()));
    for (int64_t i = 0; i < old.num_elements(); ++i) {
      double x = old.GetDouble(i);
      if (policy_.clip_constants && type == ElementType::kF16 && std::isfinite(x)) {
        x = std::clamp(x, -kLargestHalf, kLargestHalf);
      }
      half.SetDouble(i, x);
      rounded.SetDouble(i, half.GetDouble(i));
    }
    if (rounded.Identical(old)) return value;
    ++changes_;
    return graph_.AddConstant(value->name(), std::move(rounded));
  }

  /// A rounding of `value`, placed before `before` or last.
  Result<Value*> AddRounding(Value* value, ElementType type, Node* before) {
    std::vector<const Node*> from;
    if (value->producer()) from.push_back(value->producer());
    Attributes attributes;
    attributes["to"] = TensorType(type);
    ASSIGN_OR_RETURN(Node * node,
                     BuildNode(graph_, "RoundToType", StrCat(value->name(), "_as_", type), {value},
                               std::move(attributes), before, from));
    ++changes_;
    return node->output();
  }

  /// Every reader gets the rounded value.
  Status RoundOutput(Value* output, ElementType type) {
    const auto is_rounding = [&](const Use& use) {
      return use.node->op() == "RoundToType" && use.node->Get<TensorType>("to")->dtype == type;
    };
    if (!output->is_graph_output() && std::ranges::all_of(output->uses(), is_rounding)) {
      return OkStatus();
    }
    ASSIGN_OR_RETURN(Value * rounded, AddRounding(output, type, next_));
    const Node* rounding = rounded->producer();
    graph_.ReplaceUsesIf(output, rounded, [&](const Use& use) { return use.node != rounding; });
    for (size_t i = 0; i < graph_.outputs().size(); ++i) {
      if (graph_.outputs()[i] == output) graph_.SetOutput(i, rounded);
    }
    return OkStatus();
  }

  Graph& graph_;
  const PrecisionPolicy& policy_;
  int changes_ = 0;
  std::map<const Value*, ElementType> rounded_;  ///< Values known to be of a smaller type.
  std::map<std::pair<const Value*, ElementType>, Value*> made_;
  Node* next_ = nullptr;  ///< The node behind the one at hand.
};

}  // namespace

Result<int> LowerPrecision(Graph& graph, const PassContext& context) {
  if (context.precision.DoesNothing()) return 0;
  return Lowerer(graph, context.precision).Run();
}

}  // namespace cairn
