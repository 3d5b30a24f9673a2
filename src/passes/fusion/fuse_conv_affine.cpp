// SPDX-License-Identifier: Apache-2.0
// FuseConvBatchNorm, FuseConvScale, FuseConvBias: constant per-channel maps behind a convolution or
// matrix product move into its weights and bias.
//
// W'[o] = W[o] * s[o], b'[o] = b[o] * s[o] + t[o], computed in double and rounded once.
#include <cmath>

#include "passes/channel_affine.h"
#include "passes/passes.h"

namespace cairn {
namespace {

using Vector = std::vector<double>;

/// What a map can be folded into.
struct Linear {
  Node* node = nullptr;  ///< Conv, ConvTranspose or MatMul.
  Node* add = nullptr;   ///< The Add of a constant bias behind a MatMul, when there is one.
  int64_t channel_axis = 1;
  int64_t channels = 0;
  Value* result() const { return add ? add->output() : node->output(); }
};

/// Elements of the weights that belong to output channel `c` come from this function: index -> c.
using ChannelOf = std::function<int64_t(int64_t)>;

ChannelOf WeightChannels(const Linear& linear, const Shape& shape) {
  const int64_t channels = linear.channels;
  if (linear.node->op() == "MatMul") {
    if (linear.node->GetInt("transB", 0) == 0)
      return [channels](int64_t i) { return i % channels; };
    return [rows = shape[1]](int64_t i) { return i / rows; };
  }
  int64_t kernel = 1;
  for (size_t d = 2; d < shape.size(); ++d) kernel *= shape[d];
  if (linear.node->op() == "Conv") {
    const int64_t per_output = shape[1] * kernel;
    return [per_output](int64_t i) { return i / per_output; };
  }
  // onnx:ConvTranspose W is [C, M/group, kernel...]; output channel = group * M/group + m.
  const int64_t group = linear.node->GetInt("group", 1);
  const int64_t outputs = shape[1], inputs_per_group = shape[0] / group;
  return [=](int64_t i) {
    const int64_t m = i / kernel % outputs, c = i / (kernel * outputs);
    return c / inputs_per_group * outputs + m;
  };
}

std::optional<Linear> MatchConvolution(Node& node) {
  const Tensor* weights = ConstantOf(node.input(1));
  if (!weights || weights->rank() < 3 || !node.output()->type().dims) return std::nullopt;
  if (node.input(2) && !node.input(2)->is_constant()) return std::nullopt;
  Linear linear{&node, nullptr, 1, weights->shape()[0]};
  if (node.op() == "ConvTranspose") {
    const int64_t group = node.GetInt("group", 1);
    if (group <= 0 || weights->shape()[0] % group != 0) return std::nullopt;
    linear.channels = weights->shape()[1] * group;
  }
  return linear;
}

std::optional<Linear> MatchMatMul(Node& node) {
  const Tensor* weights = ConstantOf(node.input(1));
  if (!weights || weights->rank() != 2 || !node.output()->type().dims) return std::nullopt;
  const int64_t channels = weights->shape()[node.GetInt("transB", 0) != 0 ? 0 : 1];
  Linear linear{&node, nullptr, node.output()->type().rank() - 1, channels};
  Node* add = SoleReader(node.output());
  if (add && add->op() == "Add" && !add->epilogue() && SameType(add->output(), node.output()) &&
      PerChannel(OtherInput(*add, node.output()), linear.channel_axis + 1, linear.channel_axis,
                 linear.channels)) {
    linear.add = add;
  }
  return linear;
}

std::optional<Linear> MatchLinear(Node& node) {
  if (node.epilogue() || !node.output() || !IsPlainFloat(node.output()->type().dtype)) {
    return std::nullopt;
  }
  if (node.op() == "Conv" || node.op() == "ConvTranspose") return MatchConvolution(node);
  return node.op() == "MatMul" ? MatchMatMul(node) : std::nullopt;
}

/// The rounded tensor, or nothing when a finite number became infinite.
Result<std::optional<Tensor>> RoundFinite(ElementType dtype, Shape shape, const Vector& values) {
  ASSIGN_OR_RETURN(Tensor tensor, MakeTensor(dtype, std::move(shape), values));
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i]) && !std::isfinite(tensor.GetDouble(static_cast<int64_t>(i)))) {
      return std::optional<Tensor>();
    }
  }
  return std::optional<Tensor>(std::move(tensor));
}

Vector CurrentBias(const Linear& linear) {
  const auto count = static_cast<size_t>(linear.channels);
  const Value* bias = linear.add ? OtherInput(*linear.add, linear.node->output())
                      : linear.node->op() == "MatMul" ? nullptr
                                                      : linear.node->input(2);
  if (!bias) return Vector(count, 0);
  if (linear.add) {
    return *PerChannel(bias, linear.channel_axis + 1, linear.channel_axis, linear.channels);
  }
  Vector values;
  for (int64_t c = 0; c < linear.channels; ++c) values.push_back(bias->constant().GetDouble(c));
  return values;
}

Result<bool> ScaleWeights(Graph& graph, const Linear& linear, const Vector& scale,
                          std::optional<Value*>& weights) {
  const Value* old = linear.node->input(1);
  const Tensor& tensor = old->constant();
  const ChannelOf channel_of = WeightChannels(linear, tensor.shape());
  Vector values(static_cast<size_t>(tensor.num_elements()));
  for (int64_t i = 0; i < tensor.num_elements(); ++i) {
    values[static_cast<size_t>(i)] =
        tensor.GetDouble(i) * scale[static_cast<size_t>(channel_of(i))];
  }
  ASSIGN_OR_RETURN(auto rounded, RoundFinite(tensor.dtype(), tensor.shape(), values));
  if (!rounded) return false;
  weights = graph.AddConstant(old->name(), *std::move(rounded));
  return true;
}

/// Puts the bias where the operator takes it; for MatMul into the Add, a new one when needed.
Result<Value*> SetBias(Graph& graph, const Linear& linear, Tensor bias, Node& map_node) {
  Node* node = linear.node;
  Value* constant = graph.AddConstant(StrCat(node->name(), "_bias"), std::move(bias));
  if (node->op() != "MatMul") {
    while (node->inputs().size() < 3) node->AddInput(nullptr);
    node->SetInput(2, constant);
    return node->output();
  }
  if (linear.add) {
    linear.add->SetInput(linear.add->input(0) == node->output() ? 1 : 0, constant);
    return linear.add->output();
  }
  ASSIGN_OR_RETURN(Node * add, BuildNode(graph, "Add", "", {node->output(), constant}, {},
                                         &map_node, {&map_node}));
  return add->output();
}

Result<bool> FoldMap(Graph& graph, const Linear& linear, Node& map_node, const ChannelAffine& map) {
  Vector bias = CurrentBias(linear);
  bool has_bias = false;
  for (size_t c = 0; c < bias.size(); ++c) {
    bias[c] = bias[c] * map.scale[c] + map.shift[c];
    has_bias = has_bias || bias[c] != 0;
  }
  const ElementType dtype = linear.node->output()->type().dtype;
  ASSIGN_OR_RETURN(auto rounded, RoundFinite(dtype, {linear.channels}, bias));
  if (!rounded) return false;
  if (map.scales) {
    std::optional<Value*> weights;
    ASSIGN_OR_RETURN(const bool scaled, ScaleWeights(graph, linear, map.scale, weights));
    if (!scaled) return false;
    linear.node->SetInput(1, *weights);
  }
  Value* result = linear.result();
  if (has_bias || linear.add || linear.node->input(2)) {
    ASSIGN_OR_RETURN(result, SetBias(graph, linear, *std::move(rounded), map_node));
  }
  RETURN_IF_ERROR(TakeOver(graph, map_node.output(), result));
  return true;
}

using MapFilter = bool (*)(const Node& map, const Node& linear);

/// Folds every map behind each linear operator, as long as the filter takes it.
Result<int> FoldMaps(Graph& graph, MapFilter filter) {
  return ForEachNode(graph, [filter](Graph& g, Node& node) -> Result<bool> {
    bool changed = false;
    while (true) {
      const auto linear = MatchLinear(node);
      Node* map_node = linear ? SoleReader(linear->result()) : nullptr;
      if (!map_node || !filter(*map_node, node)) return changed;
      const auto map =
          MatchChannelAffine(*map_node, linear->result(), linear->channel_axis, linear->channels);
      if (!map) return changed;
      ASSIGN_OR_RETURN(const bool folded, FoldMap(g, *linear, *map_node, *map));
      if (!folded) return changed;
      changed = true;
    }
  });
}

}  // namespace

Result<int> FuseConvBatchNorm(Graph& graph, const PassContext& /*context*/) {
  return FoldMaps(graph, [](const Node& map, const Node& /*linear*/) {
    return map.op() == "BatchNormalization";
  });
}

Result<int> FuseConvScale(Graph& graph, const PassContext& /*context*/) {
  return FoldMaps(graph, [](const Node& map, const Node& /*linear*/) {
    return map.op() == "Mul" || map.op() == "Div" ||
           (map.op() == "Sub" && map.input(0)->is_constant());
  });
}

Result<int> FuseConvBias(Graph& graph, const PassContext& /*context*/) {
  return FoldMaps(graph, [](const Node& map, const Node& linear) {
    const bool adds = map.op() == "Add" || (map.op() == "Sub" && !map.input(0)->is_constant());
    // A single Add behind a MatMul is already its bias.
    return adds && (linear.op() != "MatMul" || SoleReader(linear.output()) != &map);
  });
}

}  // namespace cairn
