// SPDX-License-Identifier: Apache-2.0
// Plan: a static program ready to run.
#pragma once

#include <memory>

#include "device/device.h"
#include "runtime/profile.h"

namespace cairn::runtime {

struct Plan {
  std::shared_ptr<device::LoadedProgram> loaded;
  std::unique_ptr<device::Instance> instance;
  std::shared_ptr<ModelProfile> profile;  ///< Null unless a profile is written.

  const Program& program() const { return loaded->program(); }
};

/// An execution context of `loaded` in `work` (or memory of its own) or in the memory of `lender`.
Result<Plan> MakePlan(std::shared_ptr<device::LoadedProgram> loaded, std::span<std::byte> work,
                      device::Instance* lender, uint32_t model_id);

}  // namespace cairn::runtime
