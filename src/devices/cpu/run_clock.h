// SPDX-License-Identifier: Apache-2.0
// The cheapest clock of the processor, turned into nanoseconds after a run.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace cairn::device {

/// Counts ticks of constant rate while a run lasts. The rate is measured by the run itself: ticks
/// and nanoseconds are both read at its beginning and its end.
class RunClock {
 public:
  RunClock();

  /// Ticks now; comparable between the cores.
  uint64_t Ticks() const {
#if defined(__x86_64__)
    if (use_counter_) return __rdtsc();
#endif
    return SteadyNs();
  }

  /// Measures the rate; call once, at the end of the run.
  void Stop();
  /// Nanoseconds since construction of a tick count taken in between.
  int64_t Ns(uint64_t ticks) const {
    const auto since = static_cast<int64_t>(ticks - begin_ticks_);
    return static_cast<int64_t>(static_cast<double>(since) * ns_per_tick_);
  }

 private:
  static uint64_t SteadyNs();

  bool use_counter_;
  uint64_t begin_ns_;
  uint64_t begin_ticks_;
  double ns_per_tick_ = 1;
};

}  // namespace cairn::device
