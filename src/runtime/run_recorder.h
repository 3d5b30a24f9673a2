// SPDX-License-Identifier: Apache-2.0
// Hands the times of a model's runs to the profile that is being recorded.
#pragma once

#include <cstdint>
#include <map>

#include "device/device.h"
#include "profile/session.h"

namespace cairn::runtime {

/// Belongs to one model; used by one run at a time.
class RunRecorder {
 public:
  RunRecorder(uint32_t model_id, int device_id)
      : model_id_(model_id), device_id_(static_cast<uint32_t>(device_id)) {}

  /// Whether the next run is to be timed.
  static bool active() { return profile::Active(profile::kTasks); }

  /// Records a run of `program` on `stream` that began at `begin_ns` (steady clock). Allocates at
  /// the first run of each program only.
  void Record(const Program& program, const device::RunProfile& run, uint64_t begin_ns,
              uint32_t stream);

 private:
  uint32_t NumberOf(const Program& program);

  const uint32_t model_id_;
  const uint32_t device_id_;
  uint64_t recording_ = 0;
  std::map<const Program*, uint32_t> numbers_;  // In that recording.
};

}  // namespace cairn::runtime
