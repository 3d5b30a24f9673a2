// SPDX-License-Identifier: Apache-2.0
// DecomposeBatchNorm: a BatchNormalization that found no convolution becomes element-wise.
#include "passes/channel_affine.h"
#include "passes/passes.h"

namespace cairn {
namespace {

Result<bool> Decompose(Graph& graph, Node& node) {
  if (node.op() != "BatchNormalization" || !node.output()) return false;
  for (size_t i = 1; i < node.outputs().size(); ++i) {
    if (node.output(i) && node.output(i)->num_uses() > 0) return false;
  }
  Value* x = node.input(0);
  const Tensor* scale_tensor = ConstantOf(node.input(1));
  if (!scale_tensor || !x->type().dims || x->type().rank() < 2) return false;
  if (scale_tensor->dtype() != x->type().dtype) return false;
  const int64_t channels = scale_tensor->num_elements();
  const auto map = MatchChannelAffine(node, x, 1, channels);
  if (!map) return false;
  Shape shape(static_cast<size_t>(x->type().rank()) - 1, 1);
  shape[0] = channels;
  ASSIGN_OR_RETURN(Tensor scale, MakeTensor(x->type().dtype, shape, map->scale));
  ASSIGN_OR_RETURN(Tensor shift, MakeTensor(x->type().dtype, shape, map->shift));
  Value* scale_value = graph.AddConstant(StrCat(node.name(), "_scale"), std::move(scale));
  Value* shift_value = graph.AddConstant(StrCat(node.name(), "_shift"), std::move(shift));
  ASSIGN_OR_RETURN(Node * mul, BuildNode(graph, "Mul", "", {x, scale_value}, {}, &node, {&node}));
  ASSIGN_OR_RETURN(Node * add,
                   BuildNode(graph, "Add", "", {mul->output(), shift_value}, {}, &node, {&node}));
  RETURN_IF_ERROR(TakeOver(graph, node.output(), add->output()));
  return true;
}

}  // namespace

Result<int> DecomposeBatchNorm(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, Decompose);
}

}  // namespace cairn
