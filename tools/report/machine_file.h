// SPDX-License-Identifier: Apache-2.0
// The machine a profile was recorded on, kept in the profile folder.
#pragma once

#include <string>

#include "base/status.h"

namespace cairn::report {

struct Machine {
  std::string host;
  std::string cpu;          ///< Model name of the processor.
  int cores = 0;            ///< That the process might use.
  double core_gflops = 0;   ///< Measured multiply-add peak of one core, f32; 0 = not measured.
  double gbytes_per_s = 0;  ///< Measured read bandwidth of main memory, all cores.
};

/// Asks the system and measures the two roofs (about 0.1 s).
Machine MeasureMachine();
/// Writes `machine` into `folder`/device_0/info.json.0 and `folder`/host/info.json.
Status WriteMachine(const std::string& folder, const Machine& machine);
/// What WriteMachine wrote; when there is nothing, measures and writes it.
Machine ReadMachine(const std::string& folder);

}  // namespace cairn::report
