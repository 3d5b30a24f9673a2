// SPDX-License-Identifier: Apache-2.0
// The pipeline of a build without the passes layer: no pass runs, switches are refused.
#include "passes/pass.h"

namespace cairn {
namespace {

Status NoPasses() { return Status(Code::kUnsupported, "this build has no passes"); }

}  // namespace

Result<std::vector<PassRecord>> RunPasses(Graph&, const PassOptions&) {
  return std::vector<PassRecord>{};
}

Result<SwitchReport> ParseFusionSwitchFile(std::string_view) { return NoPasses(); }

Result<SwitchReport> ParseOptimizationSwitch(std::string_view) { return NoPasses(); }

}  // namespace cairn
