// SPDX-License-Identifier: Apache-2.0
// CanonicalizeReshapes: Reshape is the only operator that changes a shape and nothing else.
#include "passes/passes.h"
#include "passes/reshape_target.h"

namespace cairn {
namespace {

bool IsReshape(const Node* node) {
  if (!node || node->epilogue()) return false;
  const std::string& op = node->op();
  return op == "Reshape" || op == "Squeeze" || op == "Unsqueeze" || op == "Flatten";
}

/// The tensor at the start of a chain of reshapes that ends in `x`.
Value* SkipReshapes(Value* x) {
  while (IsReshape(x->producer())) x = x->producer()->input(0);
  return x;
}

Result<bool> Canonicalize(Graph& graph, Node& node) {
  Value* y = node.output();
  if (!IsReshape(&node) || !y || !y->type().dims) return false;
  Value* x = SkipReshapes(node.input(0));
  if (SameType(x, y)) {
    RETURN_IF_ERROR(ReplaceValue(graph, y, x));
    return true;
  }
  if (node.op() == "Reshape" && x == node.input(0)) return false;
  const Dims* from = x->type().dims ? &*x->type().dims : nullptr;
  auto target = FindReshapeTarget(from, *y->type().dims);
  if (!target && node.op() != "Reshape") {
    x = node.input(0);
    target = FindReshapeTarget(x->type().dims ? &*x->type().dims : nullptr, *y->type().dims);
  }
  if (!target) return false;
  for (const Value* skipped = node.input(0); skipped != x;) {
    const Node* producer = skipped->producer();
    node.AddOrigins(producer->origins());
    skipped = producer->input(0);
  }
  const std::vector<Value*> old = node.inputs();
  Value* shape = AddInts(graph, StrCat(node.name(), "_shape"), target->shape);
  while (node.inputs().size() > 1) node.RemoveInput(node.inputs().size() - 1);
  node.SetInput(0, x);
  node.AddInput(shape);
  node.set_op("Reshape");
  node.Remove("axis");
  node.Set("allowzero", target->allow_zero);
  for (const Value* input : old) {
    if (input) EraseUnused(graph, input->producer());
  }
  return true;
}

}  // namespace

Result<int> CanonicalizeReshapes(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, Canonicalize);
}

}  // namespace cairn
