// SPDX-License-Identifier: Apache-2.0
// Recognition of constant per-channel maps.
#include "passes/channel_affine.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

bool AllFinite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

std::optional<ChannelAffine> MatchBatchNorm(const Node& node, int64_t channels) {
  if (node.GetInt("training_mode", 0) != 0) return std::nullopt;
  std::vector<double> parameters[4];
  for (size_t i = 0; i < 4; ++i) {
    const Tensor* tensor = ConstantOf(node.input(i + 1));
    if (!tensor || tensor->num_elements() != channels) return std::nullopt;
    for (int64_t c = 0; c < channels; ++c) parameters[i].push_back(tensor->GetDouble(c));
  }
  const auto& [scale, bias, mean, variance] = parameters;
  const auto epsilon = static_cast<double>(node.GetFloat("epsilon", 1e-5f));
  ChannelAffine map;
  map.scales = true;
  for (size_t c = 0; c < scale.size(); ++c) {
    const double s = scale[c] / std::sqrt(variance[c] + epsilon);
    map.scale.push_back(s);
    map.shift.push_back(bias[c] - mean[c] * s);
  }
  return map;
}

std::optional<ChannelAffine> MatchArithmetic(const Node& node, const Value* data, int64_t axis,
                                             int64_t channels) {
  const std::string& op = node.op();
  const bool known = op == "Mul" || op == "Div" || op == "Add" || op == "Sub";
  if (!known || !SameType(data, node.output())) return std::nullopt;
  const Value* other = OtherInput(node, data);
  if (op == "Div" && node.input(0) != data) return std::nullopt;
  const auto numbers = PerChannel(other, data->type().rank(), axis, channels);
  if (!numbers) return std::nullopt;
  const auto count = static_cast<size_t>(channels);
  ChannelAffine map{std::vector<double>(count, 1), std::vector<double>(count, 0), false};
  for (size_t c = 0; c < count; ++c) {
    const double v = (*numbers)[c];
    if (op == "Mul") map.scale[c] = v;
    if (op == "Div") map.scale[c] = 1 / v;
    if (op == "Add") map.shift[c] = v;
    if (op == "Sub") map.shift[c] = node.input(0) == data ? -v : v;
    if (op == "Sub" && node.input(1) == data) map.scale[c] = -1;
  }
  map.scales = op == "Mul" || op == "Div" || (op == "Sub" && node.input(1) == data);
  return map;
}

}  // namespace

std::optional<std::vector<double>> PerChannel(const Value* value, int64_t rank, int64_t axis,
                                              int64_t channels) {
  const Tensor* tensor = ConstantOf(value);
  if (!tensor || !IsPlainFloat(tensor->dtype()) || tensor->rank() > rank) return std::nullopt;
  const int64_t lead = rank - tensor->rank();
  for (int64_t i = 0; i < tensor->rank(); ++i) {
    const int64_t dim = tensor->shape()[static_cast<size_t>(i)];
    if (dim != 1 && (i + lead != axis || dim != channels)) return std::nullopt;
  }
  std::vector<double> values(static_cast<size_t>(channels));
  for (int64_t c = 0; c < channels; ++c) {
    values[static_cast<size_t>(c)] = tensor->GetDouble(tensor->num_elements() == 1 ? 0 : c);
  }
  return values;
}

std::optional<ChannelAffine> MatchChannelAffine(const Node& node, const Value* data, int64_t axis,
                                                int64_t channels) {
  if (node.epilogue() || !data->type().dims || !node.output()) return std::nullopt;
  std::optional<ChannelAffine> map;
  if (node.op() == "BatchNormalization") {
    if (node.input(0) == data && axis == 1) map = MatchBatchNorm(node, channels);
  } else {
    map = MatchArithmetic(node, data, axis, channels);
  }
  if (!map || !AllFinite(map->scale) || !AllFinite(map->shift)) return std::nullopt;
  return map;
}

}  // namespace cairn
