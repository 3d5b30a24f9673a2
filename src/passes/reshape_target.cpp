// SPDX-License-Identifier: Apache-2.0
// Shape operands with 0 and -1 for symbolic dimensions.
#include "passes/reshape_target.h"

#include <algorithm>

namespace cairn {

std::optional<ReshapeTarget> FindReshapeTarget(const Dims* from, const Dims& to) {
  ReshapeTarget target;
  if (const auto numbers = ConstDims(to)) {
    target.shape = *numbers;
    const bool has_zero = std::count(numbers->begin(), numbers->end(), 0) > 0;
    target.allow_zero = has_zero ? 1 : 0;
    return target;
  }
  bool inferred = false;
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[i].overflowed()) return std::nullopt;
    if (to[i].is_const()) {
      // With a 0 elsewhere, -1 and "copy" have no meaning.
      if (to[i].value() <= 0) return std::nullopt;
      target.shape.push_back(to[i].value());
    } else if (from && i < from->size() && (*from)[i] == to[i]) {
      target.shape.push_back(0);
    } else if (!inferred) {
      inferred = true;
      target.shape.push_back(-1);
    } else {
      return std::nullopt;
    }
  }
  return target;
}

Result<Node*> BuildReshape(Graph& graph, const std::string& name, Value* x, const Dims& dims,
                           Node* before, const std::vector<const Node*>& from) {
  const auto target = FindReshapeTarget(x->type().dims ? &*x->type().dims : nullptr, dims);
  if (!target) return static_cast<Node*>(nullptr);
  Value* shape = AddInts(graph, StrCat(name.empty() ? "reshape" : name, "_shape"), target->shape);
  return BuildNode(graph, "Reshape", name, {x, shape}, {{"allowzero", target->allow_zero}}, before,
                   from);
}

}  // namespace cairn
