// SPDX-License-Identifier: Apache-2.0
// FuseScaleIntoConv: constant per-channel maps in front of a convolution move into its weights and,
// where no zero padding would be shifted too, into its bias.
//
// W'[o, c, k] = W[o, c, k] * s[c], b'[o] = b[o] + sum over c, k of W[o, c, k] * t[c], in double.
#include <algorithm>
#include <cmath>

#include "passes/channel_affine.h"
#include "passes/passes.h"

namespace cairn {
namespace {

using Vector = std::vector<double>;

bool IsZero(const Vector& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return v == 0; });
}

bool HasNoPadding(const Node& conv) {
  const std::string mode = conv.GetString("auto_pad", "NOTSET");
  const Ints pads = conv.GetInts("pads");
  return mode == "VALID" || (mode == "NOTSET" && std::all_of(pads.begin(), pads.end(),
                                                             [](int64_t pad) { return pad == 0; }));
}

struct Folded {
  Vector weights, bias;
  bool has_bias = false;
};

Folded FoldIntoWeights(const Node& conv, const ChannelAffine& map) {
  const Tensor& weights = conv.input(1)->constant();
  const int64_t outputs = weights.shape()[0], inputs = weights.shape()[1];
  const int64_t kernel = weights.num_elements() / std::max<int64_t>(outputs * inputs, 1);
  const int64_t outputs_per_group = outputs / conv.GetInt("group", 1);
  Folded folded;
  folded.has_bias = conv.input(2) != nullptr || !IsZero(map.shift);
  for (int64_t o = 0, i = 0; o < outputs; ++o) {
    double bias = conv.input(2) ? conv.input(2)->constant().GetDouble(o) : 0;
    for (int64_t c = 0; c < inputs; ++c) {
      const auto channel = static_cast<size_t>(o / outputs_per_group * inputs + c);
      for (int64_t k = 0; k < kernel; ++k, ++i) {
        const double w = weights.GetDouble(i);
        folded.weights.push_back(w * map.scale[channel]);
        bias += w * map.shift[channel];
      }
    }
    folded.bias.push_back(bias);
  }
  return folded;
}

bool StaysFinite(const Tensor& tensor) {
  for (int64_t i = 0; i < tensor.num_elements(); ++i) {
    if (!std::isfinite(tensor.GetDouble(i))) return false;
  }
  return true;
}

/// The map in front of the convolution, and the value it maps.
struct Front {
  Node* node = nullptr;
  Value* data = nullptr;
  ChannelAffine map;
};

std::optional<Front> MatchFront(const Node& conv, int64_t channels) {
  Value* x = conv.input(0);
  Node* node = x->producer();
  if (!node || SoleReader(x) != &conv || node->num_formal_inputs() < 2) return std::nullopt;
  for (size_t i = 0; i < 2; ++i) {
    Value* data = node->input(i);
    if (!data || data->is_constant() || !SameType(data, x)) continue;
    auto map = MatchChannelAffine(*node, data, 1, channels);
    if (map) return Front{node, data, std::move(*map)};
  }
  return std::nullopt;
}

Result<bool> Fuse(Graph& graph, Node& node) {
  if (node.op() != "Conv" || node.epilogue() || !IsPlainFloat(node.output()->type().dtype)) {
    return false;
  }
  const Tensor* weights = ConstantOf(node.input(1));
  const int64_t group = node.GetInt("group", 1);
  if (!weights || weights->rank() < 3 || group <= 0 || weights->shape()[0] % group != 0)
    return false;
  if (node.input(2) && !node.input(2)->is_constant()) return false;
  const auto front = MatchFront(node, weights->shape()[1] * group);
  if (!front || (!IsZero(front->map.shift) && !HasNoPadding(node))) return false;
  const Folded folded = FoldIntoWeights(node, front->map);
  ASSIGN_OR_RETURN(Tensor scaled, MakeTensor(weights->dtype(), weights->shape(), folded.weights));
  ASSIGN_OR_RETURN(Tensor bias, MakeTensor(weights->dtype(), {weights->shape()[0]}, folded.bias));
  if (!StaysFinite(scaled) || !StaysFinite(bias)) return false;
  node.SetInput(1, graph.AddConstant(node.input(1)->name(), std::move(scaled)));
  if (folded.has_bias) {
    while (node.inputs().size() < 3) node.AddInput(nullptr);
    node.SetInput(2, graph.AddConstant(StrCat(node.name(), "_bias"), std::move(bias)));
  }
  node.SetInput(0, front->data);
  node.AddOrigins(front->node->origins());
  EraseUnused(graph, front->node);
  return true;
}

}  // namespace

Result<int> FuseScaleIntoConv(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, Fuse);
}

}  // namespace cairn
