// SPDX-License-Identifier: Apache-2.0
// Builds fusion_result.json from the records of the passes.
#include "fusion_result.h"

#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/strings.h"

namespace cairn::atc {

bool WantsFusionResult(const Arguments& arguments) {
  if (arguments.Given("export_compile_stat")) return arguments.GetInt("export_compile_stat") != 0;
  return !arguments.Get("fusion_switch_file").empty();
}

std::string FusionResultPath() {
  const char* work = std::getenv("ASCEND_WORK_PATH");
  if (work == nullptr || work[0] == '\0') return "fusion_result.json";
  return StrCat(work, "/FE/", getpid(), "/fusion_result.json");
}

std::string FusionResultJson(const std::vector<PassRecord>& passes) {
  nlohmann::ordered_json fusion = nlohmann::ordered_json::object();
  for (const PassRecord& pass : passes) {
    const std::string changes = std::to_string(pass.changes);
    fusion[pass.name] = {
        {"effect_times", changes}, {"match_times", changes}, {"repository_hit_times", "0"}};
  }
  const nlohmann::ordered_json result = {
      {"session_and_graph_id_0_0",
       {{"graph_fusion", fusion}, {"ub_fusion", nlohmann::ordered_json::object()}}}};
  return result.dump(4) + "\n";
}

}  // namespace cairn::atc
