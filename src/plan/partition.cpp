// SPDX-License-Identifier: Apache-2.0
// The limits come from the hand-off between threads, about one microsecond inside a run.
#include "plan/partition.h"

#include <algorithm>

namespace cairn::plan {
namespace {

constexpr double kCyclesWorthSharing = 15000;  // Five microseconds at 3 GHz.
constexpr double kCyclesPerPart = 7500;
constexpr double kMostParts = 256;

}  // namespace

uint32_t MaxParts(double cycles) {
  if (cycles < kCyclesWorthSharing) return 1;
  return static_cast<uint32_t>(std::clamp(cycles / kCyclesPerPart, 2.0, kMostParts));
}

}  // namespace cairn::plan
