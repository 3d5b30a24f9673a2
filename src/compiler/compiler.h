// SPDX-License-Identifier: Apache-2.0
// The compiler's one entry: model file in, offline model out; used by atc and online compilation.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/dim.h"
#include "base/status.h"
#include "frontend/onnx/importer.h"
#include "passes/pass.h"
#include "plan/plan.h"
#include "target/target_spec.h"

namespace cairn::compiler {

struct CompileOptions {
  std::string model_path;
  std::string output_path;               ///< Full name of the `.om`; written atomically.
  target::TargetSpec target;
  onnx::ImportOptions import;
  PassOptions passes;
  plan::PlanOptions plan;
  std::string command_line;              ///< Recorded as atc_cmdline.
  /// Receives the stage summaries that `--log=info` shows; may be empty.
  std::function<void(const std::string& line)> progress;
};

struct CompileReport {
  std::vector<onnx::UnsupportedNode> unsupported;
  std::vector<PassRecord> passes;
  plan::PlanReport plan;
};

/// Compiles and writes the file. On failure nothing is left under the final name.
Result<CompileReport> CompileModel(const CompileOptions& options, CompileReport* report_on_failure);

}  // namespace cairn::compiler
