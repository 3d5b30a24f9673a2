// SPDX-License-Identifier: Apache-2.0
// SinkTransposes: moves Transposes behind the operators that do not care about the order of axes,
// where they meet and cancel.
#include <algorithm>

#include "passes/passes.h"
#include "passes/permutation.h"

namespace cairn {
namespace {

/// The Transpose that makes `value` for `reader` alone.
Node* OwnTranspose(const Value* value, const Node& reader) {
  Node* node = ProducerOf(value, "Transpose");
  if (!node || value->is_graph_output()) return nullptr;
  const auto& uses = value->uses();
  const bool own =
      std::all_of(uses.begin(), uses.end(), [&](const Use& use) { return use.node == &reader; });
  return own ? node : nullptr;
}

/// All present inputs come from own Transposes of one permutation, or are constants (element-wise
/// operators only) that broadcast; at least one is transposed.
std::optional<Ints> CommonPermutation(const Node& node, bool allow_constants) {
  std::optional<Ints> common;
  for (const Value* input : node.inputs()) {
    if (!input) continue;
    if (allow_constants && input->is_constant()) continue;
    const Node* transpose = OwnTranspose(input, node);
    const auto perm = transpose ? PermutationOf(*transpose) : std::nullopt;
    if (!perm || (common && *common != *perm)) return std::nullopt;
    common = perm;
  }
  return common;
}

/// `value`, a constant of at most the rank of `perm`, as the operator sees it before the Transpose.
Result<Value*> UntransposeConstant(Graph& graph, Value* value, const Ints& perm, Node* before) {
  if (value->constant().num_elements() == 1 && value->constant().rank() <= 1) return value;
  const Tensor& tensor = value->constant();
  Shape padded(perm.size() - static_cast<size_t>(tensor.rank()), 1);
  padded.insert(padded.end(), tensor.shape().begin(), tensor.shape().end());
  Value* full = graph.AddConstant(value->name(), tensor.Reshaped(std::move(padded)));
  return BuildTranspose(graph, full, Invert(perm), before, {});
}

/// Replaces `node`, whose inputs were untransposed in place, by Transpose(node, perm).
Status TransposeBehind(Graph& graph, Node& node, const Ints& perm) {
  Value* y = node.output();
  const std::string name = y->name();
  y->set_type(TensorType());
  y->set_elements(std::nullopt);
  RETURN_IF_ERROR(InferNode(node));
  Node* transpose = graph.AddNode("Transpose", "", {y}, 1);
  const auto reads = [&](const Use& use) { return use.node != transpose; };
  graph.MoveBefore(transpose, &node);
  graph.MoveBefore(&node, transpose);
  transpose->Set("perm", perm);
  RETURN_IF_ERROR(InferNode(*transpose));
  Value* result = transpose->output();
  graph.ReplaceUsesIf(y, result, reads);
  for (size_t i = 0; i < graph.outputs().size(); ++i) {
    if (graph.outputs()[i] == y) graph.SetOutput(i, result);
  }
  graph.Rename(y, StrCat(name, "_untransposed"));
  graph.Rename(result, name);
  return OkStatus();
}

/// Connects `node` to what its Transposes read.
void SkipTransposes(Graph& graph, Node& node) {
  for (size_t i = 0; i < node.inputs().size(); ++i) {
    Node* transpose = node.input(i) ? OwnTranspose(node.input(i), node) : nullptr;
    if (!transpose) continue;
    node.AddOrigins(transpose->origins());
    node.SetInput(i, transpose->input(0));
    EraseUnused(graph, transpose);
  }
}

Result<bool> SinkThroughElementwise(Graph& graph, Node& node) {
  const auto perm = CommonPermutation(node, true);
  // The Transpose must not grow by a broadcast, and an axis attribute would have to follow.
  const bool grows =
      std::none_of(node.inputs().begin(), node.inputs().end(), [&](const Value* input) {
        return input && !input->is_constant() && SameShape(input, node.output());
      });
  if (!perm || grows || node.HasAttribute("axis")) return false;
  SkipTransposes(graph, node);
  for (size_t i = 0; i < node.inputs().size(); ++i) {
    if (!node.input(i) || !node.input(i)->is_constant()) continue;
    ASSIGN_OR_RETURN(Value * value, UntransposeConstant(graph, node.input(i), *perm, &node));
    node.SetInput(i, value);
  }
  RETURN_IF_ERROR(TransposeBehind(graph, node, *perm));
  return true;
}

Result<bool> SinkThroughConcat(Graph& graph, Node& node) {
  if (node.inputs().size() < 2) return false;
  const auto perm = CommonPermutation(node, false);
  if (!perm) return false;
  const auto axis = NormalAxis(node.GetInt("axis", 0), static_cast<int64_t>(perm->size()));
  if (!axis) return false;
  node.Set("axis", (*perm)[static_cast<size_t>(*axis)]);
  SkipTransposes(graph, node);
  RETURN_IF_ERROR(TransposeBehind(graph, node, *perm));
  return true;
}

bool IsReduction(std::string_view op) { return op.starts_with("Reduce"); }

/// [Reduce(Transpose(x), axes)] => [Transpose(Reduce(x, axes'))].
Result<bool> SinkThroughReduction(Graph& graph, Node& node) {
  const Node* transpose = OwnTranspose(node.input(0), node);
  const auto perm = transpose ? PermutationOf(*transpose) : std::nullopt;
  const auto axes = ReductionAxes(node);
  if (!perm || !axes || !node.input(1)) return false;
  Ints moved;
  for (const int64_t axis : *axes) moved.push_back((*perm)[static_cast<size_t>(axis)]);
  std::sort(moved.begin(), moved.end());
  Ints behind = *perm;
  if (node.GetInt("keepdims", 1) == 0) {
    // The permutation of the axes that stay, renumbered.
    Ints kept;
    for (size_t i = 0; i < perm->size(); ++i) {
      if (std::binary_search(axes->begin(), axes->end(), static_cast<int64_t>(i))) continue;
      const int64_t source = (*perm)[i];
      kept.push_back(source -
                     (std::lower_bound(moved.begin(), moved.end(), source) - moved.begin()));
    }
    behind = kept;
  }
  Node* old = node.input(1)->producer();
  node.SetInput(1, AddInts(graph, StrCat(node.name(), "_axes"), moved));
  EraseUnused(graph, old);
  SkipTransposes(graph, node);
  RETURN_IF_ERROR(TransposeBehind(graph, node, behind));
  return true;
}

/// Softmax along another axis pays off only when a Transpose behind it takes the first one away.
Result<bool> SinkThroughSoftmax(Graph& graph, Node& node) {
  const Node* transpose = OwnTranspose(node.input(0), node);
  const auto perm = transpose ? PermutationOf(*transpose) : std::nullopt;
  const Node* reader = SoleReader(node.output());
  if (!perm || !reader || reader->op() != "Transpose") return false;
  const auto next = PermutationOf(*reader);
  const auto axis = NormalAxis(node.GetInt("axis", -1), static_cast<int64_t>(perm->size()));
  if (!next || !axis || !IsIdentity(Compose(*perm, *next))) return false;
  node.Set("axis", (*perm)[static_cast<size_t>(*axis)]);
  SkipTransposes(graph, node);
  RETURN_IF_ERROR(TransposeBehind(graph, node, *perm));
  return true;
}

Result<bool> SinkTranspose(Graph& graph, Node& node) {
  const OpDef* def = FindOp(node.op());
  if (!def || !node.output() || !node.output()->type().dims || !node.Regions().empty())
    return false;
  if (def->Has(kElementwise)) return SinkThroughElementwise(graph, node);
  if (node.op() == "Concat") return SinkThroughConcat(graph, node);
  if (IsReduction(node.op())) return SinkThroughReduction(graph, node);
  if (node.op() == "Softmax" || node.op() == "LogSoftmax") return SinkThroughSoftmax(graph, node);
  return false;
}

}  // namespace

Result<int> SinkTransposes(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, SinkTranspose);
}

}  // namespace cairn
