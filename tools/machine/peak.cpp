// SPDX-License-Identifier: Apache-2.0
// Measures the multiply-add peak.
#include "machine/peak.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine/peak.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <chrono>

#include "kernels/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Runs `steps` steps of twelve independent chains; returns the floating-point operations done.
double RunChains(int64_t steps, float* sink) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  constexpr int kChains = 12;
  V sum[kChains];
#pragma GCC unroll 16
  for (int i = 0; i < kChains; ++i) sum[i] = hn::Set(d, 1.0f + static_cast<float>(i));
  const V a = hn::Set(d, sink[0]), b = hn::Set(d, sink[1]);
  for (int64_t step = 0; step < steps; ++step) {
#pragma GCC unroll 16
    for (int i = 0; i < kChains; ++i) sum[i] = hn::MulAdd(sum[i], a, b);
  }
#pragma GCC unroll 16
  for (int i = 1; i < kChains; ++i) sum[0] = hn::Add(sum[0], sum[i]);
  hn::StoreU(sum[0], d, sink);
  return 2.0 * kChains * static_cast<double>(hn::Lanes(d)) * static_cast<double>(steps);
}

}  // namespace HWY_NAMESPACE
}  // namespace cairn::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::kernels {

using ChainsFn = double (*)(int64_t, float*);
ChainsFn GetRunChains(Isa isa) { CAIRN_SELECT(isa, RunChains) }

}  // namespace cairn::kernels

namespace cairn::machine {

double MeasurePeakFlops(kernels::Isa isa) {
  const auto run = kernels::GetRunChains(isa);
  double best = 0;
  for (int i = 0; i < 100; ++i) {
    float sink[16] = {0.999f, 0.001f};
    const auto begin = std::chrono::steady_clock::now();
    const double flops = run(20000, sink);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    best = std::max(best, flops / seconds.count());
  }
  return best;
}

}  // namespace cairn::machine
#endif
