// SPDX-License-Identifier: Apache-2.0
// Building of element-wise regions.
#include "passes/elementwise_region.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace cairn {
namespace {

/// Operators of the element-wise engine, sorted.
constexpr std::string_view kFusibleOps[] = {"Abs",
                                            "Add",
                                            "And",
                                            "Ceil",
                                            "Celu",
                                            "Clip",
                                            "Cos",
                                            "Div",
                                            "Elu",
                                            "Equal",
                                            "Erf",
                                            "Exp",
                                            "Floor",
                                            "Gelu",
                                            "Greater",
                                            "GreaterOrEqual",
                                            "HardSigmoid",
                                            "HardSwish",
                                            "IsInf",
                                            "IsNaN",
                                            "LeakyRelu",
                                            "Less",
                                            "LessOrEqual",
                                            "Log",
                                            "Max",
                                            "Min",
                                            "Mish",
                                            "Mul",
                                            "Neg",
                                            "Not",
                                            "Or",
                                            "PRelu",
                                            "Pow",
                                            "Reciprocal",
                                            "Relu",
                                            "Round",
                                            "RoundToType",
                                            "Selu",
                                            "Sigmoid",
                                            "Sign",
                                            "Sin",
                                            "Softplus",
                                            "Softsign",
                                            "Sqrt",
                                            "Sub",
                                            "Sum",
                                            "Swish",
                                            "Tanh",
                                            "ThresholdedRelu",
                                            "Where",
                                            "Xor"};

bool IsEngineType(ElementType type) {
  return type == ElementType::kF32 || type == ElementType::kF16 || type == ElementType::kBf16 ||
         type == ElementType::kBool;
}

}  // namespace

bool IsFusible(const Node& node) {
  if (!std::binary_search(std::begin(kFusibleOps), std::end(kFusibleOps), node.op())) return false;
  const Value* y = node.output();
  if (!y || node.outputs().size() != 1 || node.epilogue() || !y->type().dims) return false;
  if (!IsEngineType(y->type().dtype) || y->type().rank() > kMaxRegionRank) return false;
  const auto fits = [&](const Value* x) {
    return !x || (IsEngineType(x->type().dtype) && BroadcastsTo(x, *y->type().dims));
  };
  return std::all_of(node.inputs().begin(), node.inputs().end(), fits);
}

Result<ElementwiseRegion> BuildElementwiseRegion(const std::string& name,
                                                 const std::vector<Node*>& nodes, Value* first,
                                                 const std::vector<Value*>& results) {
  ElementwiseRegion region;
  region.graph = std::make_shared<Graph>(name);
  Graph& graph = *region.graph;
  std::unordered_map<const Value*, Value*> twin;
  if (first) twin[first] = graph.AddInput(first->name(), first->type());
  for (const Node* node : nodes) {
    for (const Value* output : node->outputs()) twin[output] = nullptr;
  }
  // Inputs come before nodes and constants, so that names do not depend on the order of edits.
  for (const Node* node : nodes) {
    for (Value* input : node->inputs()) {
      if (!input || twin.count(input)) continue;
      if (const auto number = SplatOf(input)) {
        ASSIGN_OR_RETURN(Tensor scalar, MakeTensor(input->type().dtype, {}, {*number}));
        twin[input] = graph.AddConstant(input->name(), std::move(scalar));
      } else {
        twin[input] = graph.AddInput(input->name(), input->type());
        region.operands.push_back(input);
      }
    }
  }
  for (const Node* node : nodes) {
    std::vector<Value*> inputs;
    for (const Value* input : node->inputs()) inputs.push_back(input ? twin.at(input) : nullptr);
    Node* copy =
        graph.AddNode(node->op(), node->name(), inputs, 1, nullptr, {node->output()->name()});
    for (const auto& [key, value] : node->attributes()) copy->Set(key, value);
    copy->AddOrigins(node->origins());
    RETURN_IF_ERROR(InferNode(*copy));
    twin[node->output()] = copy->output();
  }
  for (const Value* result : results) graph.AddOutput(twin.at(result));
  return region;
}

}  // namespace cairn
