// SPDX-License-Identifier: Apache-2.0
// CancelTransposes: merges neighbouring Transposes and finds those that move no data.
#include <algorithm>

#include "passes/passes.h"
#include "passes/permutation.h"
#include "passes/reshape_target.h"

namespace cairn {
namespace {

/// True when only axes of size 1 change places.
bool KeepsElementOrder(const Dims& dims, const Ints& perm) {
  int64_t last = -1;
  for (const int64_t axis : perm) {
    if (dims[static_cast<size_t>(axis)] == Dim(1)) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

Result<bool> CancelTranspose(Graph& graph, Node& node) {
  if (node.op() != "Transpose" || !node.output()) return false;
  auto perm = PermutationOf(node);
  if (!perm) return false;
  if (Node* inner = ProducerOf(node.input(0), "Transpose")) {
    const auto first = PermutationOf(*inner);
    if (!first) return false;
    Value* x = inner->input(0);
    perm = Compose(*first, *perm);
    if (IsIdentity(*perm)) {
      RETURN_IF_ERROR(ReplaceValue(graph, node.output(), x));
      return true;
    }
    node.AddOrigins(inner->origins());
    node.SetInput(0, x);
    node.Set("perm", *perm);
    EraseUnused(graph, inner);
    return true;
  }
  const Dims& dims = *node.input(0)->type().dims;
  if (!KeepsElementOrder(dims, *perm)) return false;
  ASSIGN_OR_RETURN(Node * reshape,
                   BuildReshape(graph, "", node.input(0), Permute(dims, *perm), &node, {&node}));
  if (!reshape) return false;
  RETURN_IF_ERROR(TakeOver(graph, node.output(), reshape->output()));
  return true;
}

}  // namespace

Result<int> CancelTransposes(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, CancelTranspose);
}

}  // namespace cairn
