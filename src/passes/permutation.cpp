// SPDX-License-Identifier: Apache-2.0
// Arithmetic of axis permutations.
#include "passes/permutation.h"

#include <algorithm>
#include <numeric>

namespace cairn {

std::optional<Ints> PermutationOf(const Node& transpose) {
  const Value* x = transpose.input(0);
  if (!x || !x->type().dims) return std::nullopt;
  const auto rank = static_cast<size_t>(x->type().rank());
  const Ints* given = transpose.Get<Ints>("perm");
  Ints perm(rank);
  std::iota(perm.rbegin(), perm.rend(), 0);
  if (given) perm = *given;
  Ints sorted = perm;
  std::sort(sorted.begin(), sorted.end());
  return sorted.size() == rank && IsIdentity(sorted) ? std::optional(perm) : std::nullopt;
}

Ints Compose(const Ints& first, const Ints& second) {
  Ints perm(second.size());
  for (size_t i = 0; i < perm.size(); ++i) perm[i] = first[static_cast<size_t>(second[i])];
  return perm;
}

Ints Invert(const Ints& perm) {
  Ints inverse(perm.size());
  for (size_t i = 0; i < perm.size(); ++i) {
    inverse[static_cast<size_t>(perm[i])] = static_cast<int64_t>(i);
  }
  return inverse;
}

bool IsIdentity(const Ints& perm) {
  for (size_t i = 0; i < perm.size(); ++i) {
    if (perm[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

Dims Permute(const Dims& dims, const Ints& perm) {
  Dims result;
  for (const int64_t axis : perm) result.push_back(dims[static_cast<size_t>(axis)]);
  return result;
}

Result<Value*> BuildTranspose(Graph& graph, Value* x, const Ints& perm, Node* before,
                              const std::vector<const Node*>& from) {
  if (IsIdentity(perm)) return x;
  ASSIGN_OR_RETURN(Node * node,
                   BuildNode(graph, "Transpose", "", {x}, {{"perm", perm}}, before, from));
  return node->output();
}

}  // namespace cairn
