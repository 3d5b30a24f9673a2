// SPDX-License-Identifier: Apache-2.0
// How a kernel's work is shared among the threads of one run.
#pragma once

#include <algorithm>
#include <cstdint>

namespace cairn::kernels {

/// One thread's share of a kernel call: share `index` of `count`, 0 <= index < count.
/// A kernel computes each output element by the same operations in the same order for every `count`.
struct Part {
  int32_t index = 0;
  int32_t count = 1;
};

struct Range {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t size() const { return end - begin; }
};

/// The `part`-th of `part.count` contiguous pieces of [0, total), sizes differing by at most
/// `grain`; borders are multiples of `grain`.
inline Range PartRange(int64_t total, int64_t grain, Part part) {
  const int64_t units = (total + grain - 1) / grain;
  const int64_t base = units / part.count, extra = units % part.count;
  const int64_t first = part.index * base + std::min<int64_t>(part.index, extra);
  const int64_t last = first + base + (part.index < extra ? 1 : 0);
  return {std::min(first * grain, total), std::min(last * grain, total)};
}

}  // namespace cairn::kernels
