// SPDX-License-Identifier: Apache-2.0
// FuseMatMulTranspose: MatMul reads a transposed matrix in place.
#include "passes/passes.h"
#include "passes/permutation.h"

namespace cairn {
namespace {

/// True when the last two axes of the source end up as the last two, swapped (perhaps after other
/// axes moved), so that taking the swap into the MatMul leaves the innermost axis in place.
bool SwapsInnermost(const Ints& perm) {
  const auto rank = static_cast<int64_t>(perm.size());
  return rank >= 2 && perm[static_cast<size_t>(rank) - 2] == rank - 1;
}

Result<bool> FuseOperand(Graph& graph, Node& node, size_t index, const char* attribute) {
  Node* transpose = ProducerOf(node.input(index), "Transpose");
  const auto perm = transpose ? PermutationOf(*transpose) : std::nullopt;
  if (!perm || !SwapsInnermost(*perm)) return false;
  Ints rest = *perm;
  std::swap(rest[rest.size() - 1], rest[rest.size() - 2]);
  // A shared Transpose would only be doubled by a rest that still moves data.
  if (!IsIdentity(rest) && node.input(index)->num_uses() > 1) return false;
  ASSIGN_OR_RETURN(Value * source,
                   BuildTranspose(graph, transpose->input(0), rest, &node, {transpose}));
  node.SetInput(index, source);
  node.Set(attribute, int64_t{1} - node.GetInt(attribute, 0));
  node.AddOrigins(transpose->origins());
  EraseUnused(graph, transpose);
  return true;
}

Result<bool> Fuse(Graph& graph, Node& node) {
  if (node.op() != "MatMul" || node.epilogue()) return false;
  const Value *a = node.input(0), *b = node.input(1);
  if (!a->type().dims || !b->type().dims) return false;
  bool changed = false;
  if (a->type().rank() >= 2) {
    ASSIGN_OR_RETURN(changed, FuseOperand(graph, node, 0, "transA"));
  }
  if (b->type().rank() >= 2) {
    ASSIGN_OR_RETURN(const bool fused, FuseOperand(graph, node, 1, "transB"));
    changed = changed || fused;
  }
  return changed;
}

}  // namespace

Result<int> FuseMatMulTranspose(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, Fuse);
}

}  // namespace cairn
