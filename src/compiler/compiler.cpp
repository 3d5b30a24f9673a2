// SPDX-License-Identifier: Apache-2.0
// The stages of a compilation in order.
#include "compiler/compiler.h"

#include "compiler/build_stage.h"
#include "compiler/gear_stage.h"
#include "compiler/import_stage.h"
#include "compiler/open_stage.h"
#include "compiler/output_stage.h"
#include "compiler/progress.h"

namespace cairn::compiler {
namespace {

// Virtual targets compute on the host's plan with the model's own types; the user is told once.
void WarnAboutVirtualTarget(const target::TargetSpec& target, ErrorReport& errors) {
  if (!target.is_virtual) return;
  errors.AddWarning(StrCat("WARNING: ", target.name, " is simulated: the model runs on the CPU (",
                           target.isa,
                           ") with its own element types; timing of the device is not "
                           "modelled."));
}

// One program for the model's shapes, or one that is planned at run time when some are open.
std::optional<BuiltModel> BuildOne(const CompileOptions& options,
                                   std::optional<OptimizedModel> model,
                                   std::vector<std::byte>& program, CompileReport& report) {
  if (!model) return std::nullopt;
  if (HasOpenInputs(*model->graph)) return BuildOpen(options, std::move(*model), program, report);
  auto built = PlanModel(options, std::move(*model), nullptr, report);
  if (!built) return std::nullopt;
  auto bytes = WriteProgram(built->compiled.program);
  if (!bytes.ok()) {
    report.errors.AddText("E19999", bytes.status().ToString());
    return std::nullopt;
  }
  program = std::move(*bytes);
  return built;
}

// Writes the file of a built model.
bool WriteModel(const CompileOptions& options, const BuiltModel& built,
                std::span<const std::byte> program, CompileReport& report) {
  const uint64_t file_bytes = OutputStage(options, built, program, report);
  if (report.errors.has_error()) return false;
  Progress(options).Written(file_bytes);
  WarnAboutVirtualTarget(options.target, report.errors);
  return true;
}

}  // namespace

const char* CompilerVersion() { return CAIRN_VERSION; }

bool CompileModel(const CompileOptions& options, CompileReport& report) {
  std::vector<std::byte> program;
  auto built = options.gears.kind == ShapeKind::kStatic
                   ? BuildOne(options, OptimizeModel(options, options.import, report), program,
                              report)
                   : BuildGears(options, program, report);
  return built && WriteModel(options, *built, program, report);
}

bool CompileGraph(Graph& graph, const CompileOptions& options, CompileReport& report) {
  // The graph stays the caller's.
  const std::shared_ptr<Graph> borrowed(std::shared_ptr<void>(), &graph);
  std::vector<std::byte> program;
  auto built = BuildOne(options, OptimizeGraph(options, borrowed, report), program, report);
  return built && WriteModel(options, *built, program, report);
}

}  // namespace cairn::compiler
