// SPDX-License-Identifier: Apache-2.0
// FoldShapes: integers that shape inference knows become constants.
#include "passes/passes.h"
#include "passes/reshape_target.h"

namespace cairn {
namespace {

/// The constant an output is known to equal.
std::optional<Tensor> KnownTensor(const Value& value) {
  const TensorType& type = value.type();
  if (!value.elements() || !type.is_static() || !IsInteger(type.dtype)) return std::nullopt;
  const auto numbers = ConstDims(*value.elements());
  const Shape shape = *ConstDims(*type.dims);
  const auto count = NumElements(shape);
  if (!numbers || !count.ok() || *count != static_cast<int64_t>(numbers->size())) {
    return std::nullopt;
  }
  auto tensor = Tensor::Allocate(type.dtype, shape);
  if (!tensor.ok()) return std::nullopt;
  for (size_t i = 0; i < numbers->size(); ++i) {
    tensor->SetInt(static_cast<int64_t>(i), (*numbers)[i]);
  }
  return *std::move(tensor);
}

bool FoldKnownOutputs(Graph& graph, Node& node) {
  const OpDef* def = FindOp(node.op());
  if (!def || !def->Has(kPure)) return false;
  bool changed = false;
  for (Value* output : std::vector<Value*>(node.outputs())) {
    if (!output || output->num_uses() == 0) continue;
    auto tensor = KnownTensor(*output);
    if (!tensor) continue;
    graph.ReplaceAllUses(output, graph.AddConstant(output->name(), *std::move(tensor)));
    changed = true;
  }
  if (changed) EraseUnused(graph, &node);
  return changed;
}

/// [Reshape(x, elements known up to symbols)] => [Reshape(x, constant with 0 and -1)].
bool FoldReshapeOperand(Graph& graph, Node& node) {
  if (node.op() != "Reshape" || !node.input(1) || node.input(1)->is_constant()) return false;
  const Value* y = node.output();
  if (!y || !y->type().dims) return false;
  const Value* x = node.input(0);
  const auto target =
      FindReshapeTarget(x->type().dims ? &*x->type().dims : nullptr, *y->type().dims);
  if (!target) return false;
  Node* old = node.input(1)->producer();
  node.SetInput(1, AddInts(graph, StrCat(node.name(), "_shape"), target->shape));
  node.Set("allowzero", target->allow_zero);
  EraseUnused(graph, old);
  return true;
}

}  // namespace

Result<int> FoldShapes(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, [](Graph& g, Node& node) -> Result<bool> {
    return FoldKnownOutputs(g, node) || FoldReshapeOperand(g, node);
  });
}

}  // namespace cairn
