// SPDX-License-Identifier: Apache-2.0
// The stages of a compilation in order.
#include "compiler/compiler.h"

#include <cstdlib>

#include "compiler/import_stage.h"
#include "compiler/original_model.h"
#include "compiler/output_stage.h"
#include "compiler/progress.h"
#include "modeldef/graph_dump.h"

namespace cairn::compiler {
namespace {

void AddWarnings(const std::vector<std::string>& warnings, ErrorReport& errors) {
  for (const std::string& warning : warnings) errors.AddWarning(StrCat("WARNING: ", warning));
}

// Virtual targets compute on the host's plan with the model's own types; the user is told once.
void WarnAboutVirtualTarget(const target::TargetSpec& target, ErrorReport& errors) {
  if (!target.is_virtual) return;
  errors.AddWarning(StrCat("WARNING: ", target.name, " is simulated: the model runs on the CPU (",
                           target.isa,
                           ") with its own element types; timing of the device is not "
                           "modelled."));
}

}  // namespace

const char* CompilerVersion() { return CAIRN_VERSION; }

bool CompileModel(const CompileOptions& options, CompileReport& report) {
  const auto model = ImportStage(options, report);
  if (!model) return false;
  Progress(options).Imported(*model);
  return CompileGraph(*model->graph, options, report);
}

bool CompileGraph(Graph& graph, const CompileOptions& options, CompileReport& report) {
  const Progress progress(options);
  modeldef::GraphDumper dumper(std::getenv);
  dumper.Dump(graph, modeldef::kStageImported);
  if (options.save_original_model) {
    const Status written = WriteOriginalModel(graph, options.output_path);
    if (!written.ok()) {
      report.errors.AddText("E13004", written.message());
      return false;
    }
  }
  const std::vector<std::string> output_names = PublicOutputNames(graph);
  IoLayouts layouts;
  if (!ApplyIoTypes(graph, options.io_types, output_names, layouts, report.errors)) return false;

  PassOptions pass_options = options.passes;
  if (dumper.enabled()) {
    pass_options.dump = [&](const Graph& current, std::string_view stage) {
      dumper.Dump(current, stage);
    };
  }
  const size_t nodes_before = graph.num_nodes();
  auto passes = RunPasses(graph, pass_options);
  if (!passes.ok()) {
    ReportStageFailure("passes", passes.status(), report.errors);
    return false;
  }
  report.passes = std::move(*passes);
  progress.Optimized(graph, nodes_before, report.passes);
  dumper.Dump(graph, modeldef::kStageOptimized);

  auto compiled = plan::PlanProgram(graph, options.target, options.plan);
  if (!compiled.ok()) {
    ReportStageFailure("plan", compiled.status(), report.errors);
    return false;
  }
  report.plan = compiled->report;
  AddWarnings(report.plan.warnings, report.errors);
  progress.Planned(*compiled);
  dumper.Dump(graph, modeldef::kStageFinal);

  const uint64_t file_bytes =
      OutputStage(options, graph, {output_names, layouts}, *compiled, report);
  if (report.errors.has_error()) return false;
  progress.Written(file_bytes);
  AddWarnings(dumper.warnings(), report.errors);
  WarnAboutVirtualTarget(options.target, report.errors);
  return true;
}

}  // namespace cairn::compiler
