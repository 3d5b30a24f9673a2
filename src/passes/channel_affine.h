// SPDX-License-Identifier: Apache-2.0
// Constant per-channel maps y = x * scale + shift, as BatchNormalization, Mul, Add, ... spell them.
#pragma once

#include <optional>
#include <vector>

#include "passes/rewrite.h"

namespace cairn {

struct ChannelAffine {
  std::vector<double> scale;  ///< One per channel.
  std::vector<double> shift;
  bool scales = false;  ///< Some scale may differ from 1.
};

/// The constant's value for each of `channels` when it is one number per channel (or one for all)
/// of a tensor of `rank` whose channels lie on `axis`.
std::optional<std::vector<double>> PerChannel(const Value* value, int64_t rank, int64_t axis,
                                              int64_t channels);

/// The map that `node` applies to `data`: BatchNormalization (s = scale / sqrt(var + eps),
/// t = bias - mean * s, in double), or Mul, Div, Add, Sub with a constant. Nullopt when it is
/// something else, a parameter is not constant, or a number is not finite.
std::optional<ChannelAffine> MatchChannelAffine(const Node& node, const Value* data, int64_t axis,
                                                int64_t channels);

}  // namespace cairn
