// SPDX-License-Identifier: Apache-2.0
// The shape operand of a Reshape between symbolic shapes.
#pragma once

#include <optional>

#include "passes/rewrite.h"

namespace cairn {

struct ReshapeTarget {
  Ints shape;
  int64_t allow_zero = 0;
  friend bool operator==(const ReshapeTarget&, const ReshapeTarget&) = default;
};

/// A constant shape operand that turns a tensor of shape `from` into one of shape `to`, which has
/// as many elements: numbers as they are, a symbol as 0 when `from` has it at the same axis, at
/// most one other as -1. Nullopt when that does not suffice. `from` may be null (rank unknown).
std::optional<ReshapeTarget> FindReshapeTarget(const Dims* from, const Dims& to);

/// Creates Reshape(x, constant) to `dims` before `before`; nullptr when FindReshapeTarget fails.
Result<Node*> BuildReshape(Graph& graph, const std::string& name, Value* x, const Dims& dims,
                           Node* before, const std::vector<const Node*>& from);

}  // namespace cairn
