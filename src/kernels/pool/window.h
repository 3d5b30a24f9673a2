// SPDX-License-Identifier: Apache-2.0
// Which positions of a pooling window lie inside the input.
#pragma once

#include <algorithm>

#include "kernels/pool/pool.h"

namespace cairn::kernels {

/// Of one dimension, for one output index: taps [first, last) lie inside, `start` is the input
/// index of tap 0 (possibly negative), `counted` the taps that an average divides by.
struct Window {
  int64_t start, first, last, counted;
};

inline Window MakeWindow(const PoolParams& p, int dim, int64_t out_index) {
  const int64_t dilation = p.dilation[dim], kernel = p.kernel[dim], size = p.in[dim];
  const int64_t start = out_index * p.stride[dim] - p.pad_begin[dim];
  if (start >= 0 && start + (kernel - 1) * dilation < size) return {start, 0, kernel, kernel};
  // Taps k with start + k * dilation < limit.
  const auto taps_below = [&](int64_t limit) {
    return limit <= start ? 0 : std::min(kernel, (limit - start + dilation - 1) / dilation);
  };
  Window w{start, taps_below(0), taps_below(size), 0};
  w.counted = p.count_include_pad ? taps_below(size + p.pad_end[dim]) : w.last - w.first;
  return w;
}

/// One row of outputs: (image, channel or block) `plane`, output depth and height.
struct PoolRow {
  int64_t plane;
  Window depth, height;
};

/// Blocked: adds or compares whole vectors of channels. nullptr when there is none for `isa`.
using PoolRowFn = void (*)(const PoolParams& params, const PoolRow& row, const float* src,
                           float* dst);
PoolRowFn GetBlockedPoolRow(Isa isa, PoolKind kind);
/// Plain: all columns of the row at a time.
void PlainPoolRow(const PoolParams& params, const PoolRow& row, const float* src, float* dst);

}  // namespace cairn::kernels
