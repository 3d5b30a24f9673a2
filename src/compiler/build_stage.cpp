// SPDX-License-Identifier: Apache-2.0
// Import, passes, planning.
#include "compiler/build_stage.h"

#include <cstdlib>
#include <filesystem>
#include <set>

#include "compiler/import_stage.h"
#include "compiler/original_model.h"
#include "compiler/progress.h"
#include "modeldef/graph_dump.h"

namespace cairn::compiler {
namespace {

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

void AddWarnings(const std::vector<std::string>& warnings, ErrorReport& errors) {
  for (const std::string& warning : warnings) errors.AddWarning(StrCat("WARNING: ", warning));
}

void NameProgram(const CompileOptions& options, const std::vector<std::string>& output_names,
                 Program& program) {
  program.compiler_version = CompilerVersion();
  program.model_name = std::filesystem::path(options.output_path).stem().string();
  for (size_t i = 0; i < output_names.size(); ++i) program.outputs[i].name = output_names[i];
}

std::optional<OptimizedModel> OptimizeModel(const CompileOptions& options,
                                            const onnx::ImportOptions& import,
                                            CompileReport& report) {
  auto model = ImportStage(options, import, report);
  if (!model) return std::nullopt;
  Progress(options).Imported(*model);
  return OptimizeGraph(options, std::move(model->graph), report);
}

std::optional<OptimizedModel> OptimizeGraph(const CompileOptions& options,
                                            std::shared_ptr<Graph> model, CompileReport& report) {
  modeldef::GraphDumper dumper(std::getenv);
  Graph& graph = *model;
  dumper.Dump(graph, modeldef::kStageImported);
  if (options.save_original_model) {
    const Status written = WriteOriginalModel(graph, options.output_path);
    if (!written.ok()) {
      report.errors.AddText("E13004", written.message());
      return std::nullopt;
    }
  }
  std::vector<std::string> output_names = PublicOutputNames(graph);
  IoLayouts layouts;
  if (!ApplyIoTypes(graph, options.io_types, output_names, layouts, report.errors))
    return std::nullopt;

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
    return std::nullopt;
  }
  report.passes = std::move(*passes);
  Progress(options).Optimized(graph, nodes_before, report.passes);
  dumper.Dump(graph, modeldef::kStageOptimized);
  AddWarnings(dumper.warnings(), report.errors);
  return OptimizedModel{std::move(model), std::move(output_names), std::move(layouts)};
}

std::optional<BuiltModel> PlanModel(const CompileOptions& options, OptimizedModel model,
                                    plan::WeightStore* shared, CompileReport& report) {
  const Graph& graph = *model.graph;
  auto compiled = plan::PlanProgram(graph, options.target, options.plan, shared);
  if (!compiled.ok()) {
    ReportStageFailure("plan", compiled.status(), report.errors);
    return std::nullopt;
  }
  report.plan = compiled->report;
  AddWarnings(report.plan.warnings, report.errors);
  NameProgram(options, model.output_names, compiled->program);
  Progress(options).Planned(*compiled);
  modeldef::GraphDumper dumper(std::getenv);
  dumper.Dump(graph, modeldef::kStageFinal);
  AddWarnings(dumper.warnings(), report.errors);
  return BuiltModel{std::move(model.graph), std::move(model.layouts), std::move(*compiled)};
}

}  // namespace cairn::compiler
