// SPDX-License-Identifier: Apache-2.0
// Mean and variance of blocks, shared by the normalisations.
#pragma once

#include <cstdint>
#include <span>

namespace cairn {

struct Moments {
  double mean = 0;
  double variance = 0;  ///< Population variance.
};

Moments MomentsOf(std::span<const double> values);

}  // namespace cairn
