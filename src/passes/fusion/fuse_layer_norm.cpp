// SPDX-License-Identifier: Apache-2.0
// FuseLayerNorm: a normalization over the last axes written as means, squares and a root.
#include "passes/normalization.h"
#include "passes/passes.h"

namespace cairn {
namespace {

/// A match: everything up to `result` is LayerNormalization(x, scale, bias).
struct LayerNorm {
  Value* x = nullptr;
  int64_t axis = 0;
  double epsilon = 0;
  Value* scale = nullptr;  ///< Null: ones.
  Value* bias = nullptr;
  Node* root = nullptr;  ///< Makes the result.
  NodeSet nodes;
};

/// x - mean(x) over the last axes.
struct Centered {
  Value* x = nullptr;
  int64_t axis = 0;
  NodeSet nodes;
};

std::optional<Centered> MatchCentered(const Value* value) {
  Node* sub = ProducerOf(value, "Sub");
  const auto mean = sub ? MatchMean(sub->input(1)) : std::nullopt;
  if (!mean || mean->of != sub->input(0)) return std::nullopt;
  return Centered{mean->of, mean->axis, {sub, mean->node}};
}

/// mean((x - mean(x))^2).
std::optional<Centered> MatchVariance(const Value* value) {
  const auto mean = MatchMean(value);
  Value* square = mean ? SquareOf(mean->of) : nullptr;
  auto centered = square ? MatchCentered(square) : std::nullopt;
  if (!centered || centered->axis != mean->axis) return std::nullopt;
  centered->nodes.insert(mean->node);
  centered->nodes.insert(mean->of->producer());
  return centered;
}

/// [(x - mean) / sqrt(var + eps)], without scale and bias.
std::optional<LayerNorm> MatchPlain(Node& node) {
  auto division = MatchRootDivision(node);
  if (!division) return std::nullopt;
  const auto variance = MatchVariance(division->radicand);
  const auto centered = MatchCentered(division->numerator);
  if (!variance || !centered || variance->x != centered->x || variance->axis != centered->axis) {
    return std::nullopt;
  }
  LayerNorm norm{centered->x, centered->axis, division->epsilon,         nullptr,
                 nullptr,     &node,          std::move(division->nodes)};
  norm.nodes.insert(variance->nodes.begin(), variance->nodes.end());
  norm.nodes.insert(centered->nodes.begin(), centered->nodes.end());
  return norm;
}

/// [x * g + (b - mean * g)] with g = scale / sqrt(var + eps): how TensorFlow writes it.
std::optional<LayerNorm> MatchFactored(Node& node) {
  if (node.op() != "Add") return std::nullopt;
  for (size_t i = 0; i < 2; ++i) {
    Node* scaled = ProducerOf(node.input(i), "Mul");
    Node* shift = ProducerOf(node.input(1 - i), "Sub");
    Node* scaled_mean = shift ? ProducerOf(shift->input(1), "Mul") : nullptr;
    if (!scaled || !scaled_mean) continue;
    for (size_t k = 0; k < 2; ++k) {
      Value *x = scaled->input(k), *gain = scaled->input(1 - k);
      const auto mean = MatchMean(OtherInput(*scaled_mean, gain));
      Node* gain_node = ProducerOf(gain, "Mul");
      if (!mean || mean->of != x || !gain_node) continue;
      for (size_t s = 0; s < 2; ++s) {
        auto inverse = MatchInverseRoot(gain_node->input(s));
        const auto variance = inverse ? MatchVariance(inverse->radicand) : std::nullopt;
        if (!variance || variance->x != x || variance->axis != mean->axis) continue;
        LayerNorm norm{x,
                       mean->axis,
                       inverse->epsilon,
                       gain_node->input(1 - s),
                       shift->input(0),
                       &node,
                       std::move(inverse->nodes)};
        norm.nodes.insert({&node, scaled, shift, scaled_mean, mean->node, gain_node});
        norm.nodes.insert(variance->nodes.begin(), variance->nodes.end());
        return norm;
      }
    }
  }
  return std::nullopt;
}

bool HasTrailingShape(const Value* operand, const Value* x, int64_t axis) {
  if (!operand->type().dims || operand->type().dtype != x->type().dtype) return false;
  const Dims& dims = *x->type().dims;
  return *operand->type().dims == Dims(dims.begin() + axis, dims.end());
}

/// Takes in a scale and a bias behind the plain form.
void AddScaleAndBias(LayerNorm& norm) {
  const auto scale = MatchTrailingOperand(norm.root->output(), "Mul", norm.axis);
  if (scale) {
    norm.scale = scale->operand;
    norm.root = scale->node;
    norm.nodes.insert(scale->node);
  }
  const auto bias = MatchTrailingOperand(norm.root->output(), "Add", norm.axis);
  if (bias) {
    norm.bias = bias->operand;
    norm.root = bias->node;
    norm.nodes.insert(bias->node);
  }
}

Result<bool> Fuse(Graph& graph, Node& node) {
  if (!node.output() || !IsPlainFloat(node.output()->type().dtype)) return false;
  auto norm = MatchPlain(node);
  if (norm) {
    AddScaleAndBias(*norm);
  } else {
    norm = MatchFactored(node);
    if (!norm || !HasTrailingShape(norm->scale, norm->x, norm->axis) ||
        !HasTrailingShape(norm->bias, norm->x, norm->axis)) {
      return false;
    }
  }
  if (!IsClosed(norm->nodes, norm->root) || !SameType(norm->x, norm->root->output())) return false;
  const TensorType& type = norm->x->type();
  Value* scale = nullptr;
  if (norm->scale) {
    scale = AsTrailing(graph, norm->scale, *type.dims, norm->axis);
  } else {
    ASSIGN_OR_RETURN(scale, OnesFor(graph, type, norm->axis));
  }
  if (!scale) return false;
  std::vector<Value*> inputs = {norm->x, scale};
  if (norm->bias) inputs.push_back(AsTrailing(graph, norm->bias, *type.dims, norm->axis));
  ASSIGN_OR_RETURN(Node * fused, BuildNode(graph, "LayerNormalization", "", inputs,
                                           {{"axis", norm->axis - type.rank()},
                                            {"epsilon", static_cast<float>(norm->epsilon)}},
                                           norm->root, InOrder(norm->nodes, norm->root)));
  RETURN_IF_ERROR(TakeOver(graph, norm->root->output(), fused->output()));
  return true;
}

}  // namespace

Result<int> FuseLayerNorm(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, Fuse);
}

}  // namespace cairn
