// SPDX-License-Identifier: Apache-2.0
// Pooling of one row in plain layout: each tap updates all columns it is valid for.
#include <algorithm>
#include <limits>

#include "kernels/pool/window.h"

namespace cairn::kernels {
namespace {

// Output columns whose tap `k` lies inside the input.
Range ValidColumns(const PoolParams& p, int64_t k) {
  const int64_t shift = k * p.dilation[2] - p.pad_begin[2], stride = p.stride[2];
  const int64_t begin = shift >= 0 ? 0 : (-shift + stride - 1) / stride;
  const int64_t end = p.in[2] <= shift ? 0 : (p.in[2] - shift + stride - 1) / stride;
  return {std::min(begin, p.out[2]), std::min(end, p.out[2])};
}

template <PoolKind kKind>
void Accumulate(const float* src, int64_t stride, float* dst, int64_t count) {
  const auto step = [](float sum, float x) {
    if constexpr (kKind == PoolKind::kAverage) return sum + x;
    return x > sum || x != x ? x : sum;
  };
  if (stride == 1) {
    for (int64_t i = 0; i < count; ++i) dst[i] = step(dst[i], src[i]);
  } else {
    for (int64_t i = 0; i < count; ++i) dst[i] = step(dst[i], src[i * stride]);
  }
}

}  // namespace

void PlainPoolRow(const PoolParams& p, const PoolRow& row, const float* src, float* dst) {
  const bool average = p.kind == PoolKind::kAverage;
  std::fill_n(dst, p.out[2], average ? 0.0f : -std::numeric_limits<float>::infinity());
  for (int64_t kd = row.depth.first; kd < row.depth.last; ++kd) {
    const int64_t d = row.depth.start + kd * p.dilation[0];
    for (int64_t kh = row.height.first; kh < row.height.last; ++kh) {
      const int64_t h = row.height.start + kh * p.dilation[1];
      const float* line = src + (d * p.in[1] + h) * p.in[2];
      for (int64_t kw = 0; kw < p.kernel[2]; ++kw) {
        const Range columns = ValidColumns(p, kw);
        if (columns.size() <= 0) continue;
        const int64_t first = columns.begin * p.stride[2] - p.pad_begin[2] + kw * p.dilation[2];
        const auto accumulate =
            average ? Accumulate<PoolKind::kAverage> : Accumulate<PoolKind::kMax>;
        accumulate(line + first, p.stride[2], dst + columns.begin, columns.size());
      }
    }
  }
  if (!average) return;
  for (int64_t i = 0; i < p.out[2]; ++i) {
    const int64_t count = row.depth.counted * row.height.counted * MakeWindow(p, 2, i).counted;
    dst[i] /= static_cast<float>(std::max<int64_t>(count, 1));
  }
}

}  // namespace cairn::kernels
