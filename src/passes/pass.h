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
#include "passes/precision/policy.h"

namespace cairn {

/// What a pass may know besides the graph.
struct PassContext {
  bool only_float32 = false;  ///< Explicit casts to f16 and bf16 give f32 as well.
  PrecisionPolicy precision;  ///< What computes in a smaller float type.
};

/// Rewrites the graph; returns how many places changed. Must be idempotent and deterministic, keep
/// values' types (except ComputeInFloat32), and carry origins over to the nodes it creates.
using PassFn = Result<int> (*)(Graph&, const PassContext&);

/// How a pass may be switched.
enum class PassLevel : uint8_t {
  kRequired,  ///< Always runs (verification, what the planner depends on).
  kO1,        ///< Runs at O1 and O3, off at O0.
  kO3,        ///< Runs at O3 (default).
};

/// When a pass runs. The driver repeats kCanonicalize to a fixed point, before and after each round
/// of kFuse; kFuse is repeated until nothing changes; kGroup runs once at the end.
enum class PassStage : uint8_t { kPrepare, kCanonicalize, kFuse, kGroup };

struct PassDef {
  const char* name;  ///< "FuseConvBatchNorm"; used by switch files and reports.
  PassFn run;
  PassStage stage;
  PassLevel level;
  const char* original_name;  ///< Name in the original's switch files, or "".
  const char* doc;  ///< The transformation in one line: "[Relu(Conv)] => [Conv + epilogue]".
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
  int changes = 0;  ///< Over all rounds, regions included.
  double milliseconds = 0;
  bool enabled = true;
};

/// Runs the pipeline on the graph and the regions of its control flow; after each pass that changed
/// something the verifier runs and types are inferred again. One record per pass, in pipeline
/// order.
Result<std::vector<PassRecord>> RunPasses(Graph& graph, const PassOptions& options);

/// What a switch file or option says, for the passes of this compiler.
struct SwitchReport {
  std::map<std::string, bool> switches;
  std::vector<std::string> unknown;
  std::vector<std::string> without_effect;  ///< Known names of the original that have no pass here.
};
/// Reads the contents of `--fusion_switch_file`: JSON {"Switch": {"GraphFusion": {NAME: on|off},
/// "UBFusion": {...}}}, or lines NAME:on|off. NAME is ours, the original's, or ALL (the default of
/// its group; required passes stay on). Other values than on and off, and in line form a name given
/// twice, are errors.
Result<SwitchReport> ParseFusionSwitchFile(std::string_view text);
/// Reads `--optimization_switch`: "Pass:on;Pass:off", same names.
Result<SwitchReport> ParseOptimizationSwitch(std::string_view text);

}  // namespace cairn
