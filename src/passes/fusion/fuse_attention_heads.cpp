// SPDX-License-Identifier: Apache-2.0
// FuseAttentionHeads: attention reads its heads where the projections wrote them, and writes its
// result where the next one reads it, instead of between four Transposes.
#include "passes/passes.h"
#include "passes/permutation.h"
#include "passes/reshape_target.h"

namespace cairn {
namespace {

bool SwapsHeadsAndPositions(const Node* transpose) {
  const auto perm = transpose ? PermutationOf(*transpose) : std::nullopt;
  return perm && *perm == Ints{0, 2, 1, 3};
}

/// Dims [B, S, H, D] as [B, S, H * D].
Dims Joined(const Dims& dims) { return {dims[0], dims[1], dims[2] * dims[3]}; }

Result<bool> Fuse(Graph& graph, Node& node) {
  if (node.op() != "Attention" || node.epilogue() || node.outputs().size() != 1) return false;
  if (node.inputs().size() > 4 || !node.output()->type().dims ||
      node.output()->type().rank() != 4) {
    return false;
  }
  Node* behind = SoleReader(node.output());
  if (!behind || behind->op() != "Transpose" || !SwapsHeadsAndPositions(behind)) return false;
  Node* transposes[3];
  for (size_t i = 0; i < 3; ++i) {
    transposes[i] = ProducerOf(node.input(i), "Transpose");
    if (!SwapsHeadsAndPositions(transposes[i])) return false;
    const Dims& dims = *transposes[i]->input(0)->type().dims;
    if (!dims[2].is_const() || !FindReshapeTarget(&dims, Joined(dims))) return false;
  }
  const Dims& result = *behind->output()->type().dims;
  const Dims joined_result = Joined(result);
  if (!FindReshapeTarget(&joined_result, result)) return false;
  const int64_t heads = (*transposes[0]->input(0)->type().dims)[2].value();
  const int64_t kv_heads = (*transposes[1]->input(0)->type().dims)[2].value();
  for (size_t i = 0; i < 3; ++i) {
    Value* source = transposes[i]->input(0);
    ASSIGN_OR_RETURN(Node * joined, BuildReshape(graph, "", source, Joined(*source->type().dims),
                                                 &node, {transposes[i]}));
    node.AddOrigins(transposes[i]->origins());
    node.SetInput(i, joined->output());
    EraseUnused(graph, transposes[i]);
  }
  node.Set("q_num_heads", heads);
  node.Set("kv_num_heads", kv_heads);
  node.output()->set_type(TensorType());
  RETURN_IF_ERROR(InferNode(node));
  ASSIGN_OR_RETURN(Node * split, BuildReshape(graph, "", node.output(), result, behind, {behind}));
  if (!split) return Status(Code::kInternal, "the shape of the result cannot be written down");
  RETURN_IF_ERROR(TakeOver(graph, behind->output(), split->output()));
  return true;
}

}  // namespace

Result<int> FuseAttentionHeads(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, Fuse);
}

}  // namespace cairn
