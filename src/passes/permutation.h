// SPDX-License-Identifier: Apache-2.0
// Permutations of axes: output axis i of a Transpose is input axis perm[i].
#pragma once

#include <optional>

#include "passes/rewrite.h"

namespace cairn {

/// The permutation of a Transpose node (reversed axes when the attribute is absent); nullopt when
/// the rank is unknown or the attribute is no permutation.
std::optional<Ints> PermutationOf(const Node& transpose);
/// perm of Transpose(Transpose(x, first), second).
Ints Compose(const Ints& first, const Ints& second);
Ints Invert(const Ints& perm);
bool IsIdentity(const Ints& perm);
/// dims[perm[i]] for each i.
Dims Permute(const Dims& dims, const Ints& perm);
/// Creates Transpose(x, perm) before `before`, or returns x for the identity.
Result<Value*> BuildTranspose(Graph& graph, Value* x, const Ints& perm, Node* before,
                              const std::vector<const Node*>& from);

}  // namespace cairn
