// SPDX-License-Identifier: Apache-2.0
// Seeding and distributions.
#include "ops/random/random.h"

#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <numbers>

namespace cairn {

RandomBits RandomBits::ForNode(const Node& node) {
  if (const auto* seed = node.Get<float>("seed")) {
    return RandomBits(std::bit_cast<uint32_t>(*seed));
  }
  static std::atomic<uint64_t> runs{0};
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return RandomBits(static_cast<uint64_t>(now) ^ (runs.fetch_add(1) << 48));
}

uint64_t RandomBits::Next() {
  uint64_t z = state_ += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

double RandomBits::NextNormal() {
  // 1 - u lies in (0, 1]: its logarithm is finite.
  const double radius = std::sqrt(-2 * std::log(1 - NextUniform()));
  return radius * std::cos(2 * std::numbers::pi * NextUniform());
}

}  // namespace cairn
