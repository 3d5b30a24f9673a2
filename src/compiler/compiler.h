// SPDX-License-Identifier: Apache-2.0
// The compiler's one entry: model file in, offline model out; used by atc and online compilation.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "compiler/error_report.h"
#include "compiler/external_weights.h"
#include "compiler/io_types.h"
#include "frontend/onnx/importer.h"
#include "passes/pass.h"
#include "plan/plan.h"
#include "target/target_spec.h"

namespace cairn::compiler {

/// The shapes that a model is compiled for, one program each.
struct GearOptions {
  struct Gear {
    std::vector<int64_t> values;  ///< What the application gives to choose it.
    std::map<std::string, Dims> input_shapes;
  };
  ShapeKind kind = ShapeKind::kStatic;  ///< Static: no gears.
  std::vector<Gear> gears;
  /// Inputs in the order of the option, with -1 for the dims that gears fill.
  std::vector<std::pair<std::string, std::vector<int64_t>>> open_shapes;
};

/// What is known about dims that stay open.
struct OpenOptions {
  /// Least and most of every dim of an input; -1: no limit. Other inputs have none.
  std::map<std::string, std::vector<std::pair<int64_t, int64_t>>> ranges;
  /// Likely shapes by input index: kernels are chosen for these.
  std::map<size_t, std::vector<int64_t>> hints;
};

struct CompileOptions {
  std::string model_path;
  std::string output_path;  ///< Full name of the `.om`; appears complete or not at all.
  target::TargetSpec target;
  onnx::ImportOptions import;  ///< With gears their shapes replace those given here.
  GearOptions gears;
  OpenOptions open;
  std::string aipp_config_path;  ///< Image pre-processing; empty: none.
  IoTypeOptions io_types;
  PassOptions passes;  ///< `dump` is set by the compiler.
  plan::PlanOptions plan;
  std::string input_format;  ///< "ND": 4-D inputs and outputs are recorded as ND, else as NCHW.
  WeightPlace weight_place = WeightPlace::kInside;
  bool save_original_model = false;  ///< Also write `<output>_original.om`.
  std::string command_line;          ///< Recorded in the file.
  /// Receives the summary of each stage (kInfo) and one line per node (kDebug); may be empty.
  std::function<void(LogLevel level, const std::string& line)> progress;
};

struct CompileReport {
  ErrorReport errors;
  std::vector<onnx::UnsupportedNode> unsupported;
  std::vector<PassRecord> passes;
  plan::PlanReport plan;
  std::vector<std::string> aipp;  ///< What image pre-processing does, in lines.
  std::string summary;  ///< The text of `atc --mode=6` for the file.
};

/// Version of the compiler as files record it.
const char* CompilerVersion();

/// Compiles and writes the file. False on failure: `report.errors` says why and nothing is left
/// under the final name. Graph dumps follow the environment (modeldef/graph_dump.h).
bool CompileModel(const CompileOptions& options, CompileReport& report);

/// The same of a graph that is there already, which the passes rewrite; `model_path` and `import`
/// of the options are not read.
bool CompileGraph(Graph& graph, const CompileOptions& options, CompileReport& report);

}  // namespace cairn::compiler
