// SPDX-License-Identifier: Apache-2.0
// Choice of the counter and its rate.
#include "devices/cpu/run_clock.h"

#include <chrono>
#include <fstream>
#include <string>

namespace cairn::device {
namespace {

/// The kernel uses the processor's counter itself when it is constant and the same on all cores.
bool KernelTrustsCounter() {
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string name;
  return file >> name && name == "tsc";
}

}  // namespace

uint64_t RunClock::SteadyNs() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

RunClock::RunClock() {
  static const bool trusted = KernelTrustsCounter();
  use_counter_ = trusted;
  begin_ns_ = SteadyNs();
  begin_ticks_ = Ticks();
}

void RunClock::Stop() {
  const uint64_t ticks = Ticks() - begin_ticks_;
  const uint64_t ns = SteadyNs() - begin_ns_;
  if (ticks > 0) ns_per_tick_ = static_cast<double>(ns) / static_cast<double>(ticks);
}

}  // namespace cairn::device
