// SPDX-License-Identifier: Apache-2.0
// The stages of a compilation in order.
#include "compiler/compiler.h"

#include <cstdlib>
#include <set>

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

void CollectNodeNames(const Graph& graph, std::set<std::string, std::less<>>& names) {
  for (const Node* node : graph.Nodes()) {
    names.insert(node->name());
    names.insert(node->origins().begin(), node->origins().end());
    for (const Graph* region : node->Regions()) CollectNodeNames(*region, names);
  }
}

// Nodes that the files of precision options name and the model does not have.
void WarnAboutUnknownNodes(const Graph& graph, const CompileOptions& options, ErrorReport& errors) {
  const PrecisionPolicy& precision = options.passes.context.precision;
  std::set<std::string, std::less<>> wanted = precision.kept_nodes;
  for (const auto& [name, types] : precision.node_types) wanted.insert(name);
  wanted.insert(options.plan.exact.nodes.begin(), options.plan.exact.nodes.end());
  wanted.insert(options.plan.exact.loose_nodes.begin(), options.plan.exact.loose_nodes.end());
  if (wanted.empty()) return;
  std::set<std::string, std::less<>> names;
  CollectNodeNames(graph, names);
  for (const std::string& name : wanted) {
    if (names.contains(name)) continue;
    errors.AddWarning(StrCat("WARNING: the precision options name the node '", name,
                             "', which the model does not have"));
  }
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

  WarnAboutUnknownNodes(graph, options, report.errors);
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
