// SPDX-License-Identifier: Apache-2.0
// The random numbers of operators.
#pragma once

#include <cstdint>

#include "ir/graph.h"

namespace cairn {

/// A generator of 64 random bits a call (splitmix64): small, fast, good enough for samples.
class RandomBits {
 public:
  explicit RandomBits(uint64_t seed) : state_(seed) {}
  /// The generator of a node: from its attribute `seed`, or different in every run without one.
  static RandomBits ForNode(const Node& node);

  uint64_t Next();
  /// Uniform in [0, 1) with 53 bits.
  double NextUniform() { return static_cast<double>(Next() >> 11) * 0x1p-53; }
  /// Standard normal (Box and Muller).
  double NextNormal();

 private:
  uint64_t state_;
};

}  // namespace cairn
