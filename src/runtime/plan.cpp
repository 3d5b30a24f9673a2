// SPDX-License-Identifier: Apache-2.0
// Execution contexts with their profiles.
#include "runtime/plan.h"

namespace cairn::runtime {

Result<Plan> MakePlan(std::shared_ptr<device::LoadedProgram> loaded, std::span<std::byte> work,
                      device::Instance* lender, uint32_t model_id) {
  Plan plan;
  plan.loaded = std::move(loaded);
  ASSIGN_OR_RETURN(plan.instance, plan.loaded->NewInstance(work, lender));
  if (ProfileFile::Get().active()) {
    plan.profile = std::make_shared<ModelProfile>(model_id, plan.program());
    ProfileFile::Get().Add(plan.profile);
  }
  return plan;
}

}  // namespace cairn::runtime
