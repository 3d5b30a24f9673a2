// SPDX-License-Identifier: Apache-2.0
// Pieces of decomposed normalizations: means, squares, and division by sqrt(v + epsilon).
#pragma once

#include <optional>
#include <unordered_set>

#include "passes/rewrite.h"

namespace cairn {

using NodeSet = std::unordered_set<const Node*>;

/// ReduceMean of `value` over its last axes with keepdims; `axis` is the first of them.
struct Mean {
  Node* node = nullptr;
  Value* of = nullptr;
  int64_t axis = 0;
};
std::optional<Mean> MatchMean(const Value* value);

/// What `value` is the square of: Mul(x, x) or Pow(x, 2).
Value* SquareOf(const Value* value);

/// numerator / sqrt(radicand + epsilon) in one of its forms: Div by Sqrt, Mul by Reciprocal(Sqrt),
/// by Div(1, Sqrt), by Pow(., -0.5).
struct RootDivision {
  Value* numerator = nullptr;
  Value* radicand = nullptr;
  double epsilon = 0;
  NodeSet nodes;
};
std::optional<RootDivision> MatchRootDivision(Node& node);
/// The same for the factor 1 / sqrt(radicand + epsilon) alone.
std::optional<RootDivision> MatchInverseRoot(const Value* value);

/// When the sole reader of `value` multiplies it by (adds to it, for op "Add") an operand that has
/// exactly the shape of the axes from `axis` on: that reader and the operand.
struct ChannelOperand {
  Node* node = nullptr;
  Value* operand = nullptr;
};
std::optional<ChannelOperand> MatchTrailingOperand(const Value* value, std::string_view op,
                                                   int64_t axis);

/// `operand` with exactly the dims from `axis` on: itself, or a reshaped constant when it has
/// leading 1s; nullptr when it does not fit.
Value* AsTrailing(Graph& graph, Value* operand, const Dims& dims, int64_t axis);
/// A constant of ones with the dims from `axis` on; nullptr when they are symbolic.
Result<Value*> OnesFor(Graph& graph, const TensorType& type, int64_t axis);

}  // namespace cairn
