// SPDX-License-Identifier: Apache-2.0
// The stages of a compilation in order.
#include "compiler/compiler.h"

#include <cstdlib>

#include "compiler/import_stage.h"
#include "compiler/output_stage.h"
#include "compiler/progress.h"
#include "modeldef/graph_dump.h"

namespace cairn::compiler {
namespace {

// Failures of the stages after import: what the model cannot do is its user's matter, the rest
// ours.
void ReportFailure(std::string_view stage, const Status& status, ErrorReport& errors) {
  if (status.code() == Code::kUnsupported) {
    errors.AddText("E10055", status.message());
  } else if (status.code() == Code::kInvalidModel || status.code() == Code::kInvalidArgument) {
    errors.Add("E16001", {{"value", status.message()}});
  } else if (status.code() == Code::kOutOfMemory) {
    errors.Add("E10059", {{"stage", stage}, {"reason", status.message()}});
  } else {
    errors.AddText("E19999", StrCat(stage, ": ", status.ToString()));
  }
}

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
  const Progress progress(options);
  modeldef::GraphDumper dumper(std::getenv);

  auto model = ImportStage(options, report);
  if (!model) return false;
  Graph& graph = *model->graph;
  progress.Imported(*model);
  dumper.Dump(graph, modeldef::kStageImported);
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
    ReportFailure("passes", passes.status(), report.errors);
    return false;
  }
  report.passes = std::move(*passes);
  progress.Optimized(graph, nodes_before, report.passes);
  dumper.Dump(graph, modeldef::kStageOptimized);

  auto compiled = plan::PlanProgram(graph, options.target, options.plan);
  if (!compiled.ok()) {
    ReportFailure("plan", compiled.status(), report.errors);
    return false;
  }
  report.plan = compiled->report;
  AddWarnings(report.plan.warnings, report.errors);
  progress.Planned(*compiled);
  dumper.Dump(graph, modeldef::kStageFinal);

  const uint64_t file_bytes = OutputStage(options, graph, {output_names, layouts}, *compiled, report);
  if (report.errors.has_error()) return false;
  progress.Written(file_bytes);
  AddWarnings(dumper.warnings(), report.errors);
  WarnAboutVirtualTarget(options.target, report.errors);
  return true;
}

}  // namespace cairn::compiler
