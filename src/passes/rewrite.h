// SPDX-License-Identifier: Apache-2.0
// What passes share: looking at the neighbourhood of a node, and checked replacement of values.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ir/graph.h"
#include "ops/op_def.h"

namespace cairn {

// ---- Looking
// -------------------------------------------------------------------------------------

/// The node that makes `value` when its operator is `op` and it has no epilogue, else nullptr.
Node* ProducerOf(const Value* value, std::string_view op);
/// True when nothing uses an output of the node.
bool IsDead(const Node& node);
/// The only reader of `value` when it has exactly one use, is no graph output, and the reader is
/// not dead; else nullptr.
Node* SoleReader(const Value* value);
/// The constant of `value`, else nullptr (also for a null value).
const Tensor* ConstantOf(const Value* value);
/// The number that all elements of a numeric constant are equal to.
std::optional<double> SplatOf(const Value* value);
/// Elements of an integer constant.
std::optional<Ints> IntsOf(const Value* value);
/// For a node with two formal inputs one of which is `value`: the other one; else nullptr.
Value* OtherInput(const Node& node, const Value* value);
/// True when both have known, equal shapes.
bool SameShape(const Value* a, const Value* b);
bool SameType(const Value* a, const Value* b);
/// True when `value` has a known shape that broadcasts to `dims` without changing `dims`.
bool BroadcastsTo(const Value* value, const Dims& dims);
/// Axis counted from the front; nullopt when out of range.
std::optional<int64_t> NormalAxis(int64_t axis, int64_t rank);
/// The axes of a reduction (`Reduce*` with axes as constant input 1), sorted and counted from the
/// front; all axes when it has none. Nullopt when unknown, or when a reduction over no axes is
/// meant.
std::optional<Ints> ReductionAxes(const Node& node);
/// True when no value made inside `nodes` is used outside, except the outputs of `root`.
bool IsClosed(const std::unordered_set<const Node*>& nodes, const Node* root);
/// The nodes of the set that `root` depends on within it, producers first.
std::vector<const Node*> InOrder(const std::unordered_set<const Node*>& nodes, const Node* root);
/// f32, f64, f16 or bf16.
bool IsPlainFloat(ElementType type);

// ---- Building
// ------------------------------------------------------------------------------------

/// A tensor of `shape` from doubles with one rounding each.
Result<Tensor> MakeTensor(ElementType dtype, Shape shape, const std::vector<double>& values);
/// An i64[n] constant.
Value* AddInts(Graph& graph, const std::string& name, const Ints& values);
/// Creates a one-output node before `before`, with its type inferred and the origins of `from`.
Result<Node*> BuildNode(Graph& graph, const std::string& op, const std::string& name,
                        std::vector<Value*> inputs, Attributes attributes, Node* before,
                        const std::vector<const Node*>& from);

// ---- Replacing
// -----------------------------------------------------------------------------------

/// Redirects all readers of `from` to `to`, which computes the same tensor, and erases what is then
/// unused. Fails when the element types or the known dimensions differ.
Status ReplaceValue(Graph& graph, Value* from, Value* to);
/// As ReplaceValue for a `to` made or changed by the rewrite: `to` also takes the name of `from`,
/// and its producer takes over the origins of the producer of `from`.
Status TakeOver(Graph& graph, Value* from, Value* to);
/// Erases `node` when nothing uses its outputs, then its producers likewise. `node` may be null.
void EraseUnused(Graph& graph, Node* node);

/// Calls `rewrite` once for each node that is still there and not dead, in order; returns how often
/// it was true.
using NodeRewrite = std::function<Result<bool>(Graph&, Node&)>;
Result<int> ForEachNode(Graph& graph, const NodeRewrite& rewrite);

}  // namespace cairn
