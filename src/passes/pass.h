// SPDX-License-Identifier: Apache-2.0
// Pass: one named graph rewrite; the driver switches, times, verifies, dumps and reports it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "ir/graph.h"

namespace cairn {

/// What a pass may know besides the graph.
struct PassContext {
  bool high_precision = false;  ///< Only rewrites that do not move rounding (design: high_precision).
};

/// Rewrites the graph; returns how many places changed. Must be idempotent and deterministic, keep
/// values' types, and carry origins over to the nodes it creates.
using PassFn = Result<int> (*)(Graph&, const PassContext&);

/// How a pass may be switched.
enum class PassLevel : uint8_t {
  kRequired,   ///< Always runs (verification, what the planner depends on).
  kO1,         ///< Runs at O1 and O3, off at O0.
  kO3,         ///< Runs at O3 (default).
};

struct PassDef {
  const char* name;           ///< "FuseConvBatchNorm"; used by switch files and reports.
  PassFn run;
  PassLevel level;
  const char* original_name;  ///< Name in the original's switch files, or "".
  const char* doc;            ///< The transformation in one line: "[Relu(Conv)] => [Conv + epilogue]".
};

/// All passes in pipeline order; see pass_list.def.
const std::vector<PassDef>& AllPasses();

struct PassOptions {
  enum class OptLevel : uint8_t { kO0, kO1, kO3 } level = OptLevel::kO3;
  std::map<std::string, bool> switches;  ///< By pass name; overrides the level.
  bool fold_constants = true;
  bool eliminate_dead_code = true;
  PassContext context;
  /// Called after each pass that changed the graph, for dumps; may be empty.
  std::function<void(const Graph&, std::string_view stage)> dump;
};

struct PassRecord {
  std::string name;
  int changes = 0;
  double milliseconds = 0;
  bool enabled = true;
};

/// Runs the pipeline; after each pass types are re-inferred where needed and the verifier runs.
Result<std::vector<PassRecord>> RunPasses(Graph& graph, const PassOptions& options);

/// Reads the switch syntax of `--fusion_switch_file` (JSON) and `--optimization_switch`
/// ("Pass:on;Pass:off"); unknown names are returned for a warning, original names are mapped.
struct SwitchReport {
  std::map<std::string, bool> switches;
  std::vector<std::string> unknown;
  std::vector<std::string> without_effect;  ///< Known names of the original that have no pass here.
};
Result<SwitchReport> ParseFusionSwitchFile(std::string_view json_text);
Result<SwitchReport> ParseOptimizationSwitch(std::string_view text);

}  // namespace cairn
