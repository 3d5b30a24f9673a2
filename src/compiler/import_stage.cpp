// SPDX-License-Identifier: Apache-2.0
// Import, the report on unsupported nodes, and what is said about open inputs.
#include "compiler/import_stage.h"

#include <algorithm>

#include "compiler/aipp_stage.h"

namespace cairn::compiler {
namespace {

// One report with every node that cannot be compiled.
void ReportUnsupported(const std::vector<onnx::UnsupportedNode>& nodes, ErrorReport& errors) {
  errors.AddText("E16002", StrCat(nodes.size(), nodes.size() == 1 ? " node" : " nodes",
                                  " of the model cannot be compiled; the first has operator type [",
                                  nodes[0].op, "]"));
  for (const onnx::UnsupportedNode& node : nodes) {
    std::string line = StrCat("node '", node.name, "' (", node.op, ")");
    if (!node.operands.empty()) line += StrCat(", inputs ", node.operands);
    line += StrCat(": ", node.reason);
    if (!node.remedy.empty()) line += StrCat("; ", node.remedy);
    errors.AddDetail(std::move(line));
  }
}

bool Mentions(const Status& status, std::string_view text) {
  return status.message().find(text) != std::string::npos;
}

void ReportImportFailure(const Status& status, ErrorReport& errors) {
  const bool about_shape = Mentions(status, onnx::kInputShapeProblem);
  const bool about_outputs = Mentions(status, onnx::kOutputNodeProblem);
  const std::string_view option = about_shape ? "--input_shape: " : "--out_nodes: ";
  if (status.code() == Code::kNotFound && (about_shape || about_outputs)) {
    errors.AddText("E10016", StrCat(option, status.message()));
  } else if (status.code() == Code::kInvalidArgument && (about_shape || about_outputs)) {
    errors.AddText(about_shape ? "E10049" : "E11016", StrCat(option, status.message()));
  } else if (status.code() == Code::kNotFound || status.code() == Code::kIoError) {
    errors.AddText("E13001", status.message());
  } else if (status.code() == Code::kUnsupported) {
    errors.AddText("E10055", status.message());
  } else if (status.code() == Code::kInternal) {
    errors.AddText("E19999", status.ToString());
  } else {
    errors.Add("E16001", {{"value", status.message()}});
  }
}

// "x:?,3,?,?" with the dims that the model fixes.
std::string ShapeTemplate(const Value& input) {
  if (!input.type().has_rank()) return StrCat(input.name(), ":?");
  std::vector<std::string> dims;
  for (const Dim& dim : *input.type().dims) {
    dims.push_back(dim.is_const() ? std::to_string(dim.value()) : "?");
  }
  return StrCat(input.name(), ":", StrJoin(dims, ","));
}

}  // namespace

void ReportImport(const Status& status, CompileReport& report) {
  if (report.unsupported.empty()) {
    ReportImportFailure(status, report.errors);
  } else {
    ReportUnsupported(report.unsupported, report.errors);
  }
}

std::optional<onnx::ImportedModel> ImportStage(const CompileOptions& options,
                                               const onnx::ImportOptions& import,
                                               CompileReport& report) {
  auto model = onnx::ImportOnnxFile(options.model_path, import, &report.unsupported);
  if (!model.ok()) {
    ReportImport(model.status(), report);
    return std::nullopt;
  }
  if (!AippStage(options, *model->graph, report)) return std::nullopt;
  return std::move(*model);
}

bool HasOpenInputs(const Graph& graph) {
  return std::ranges::any_of(graph.inputs(),
                             [](const Value* input) { return !input->type().is_static(); });
}

std::string DescribeOpenInputs(const Graph& graph) {
  std::vector<std::string> open;
  std::vector<std::string> templates;
  for (const Value* input : graph.inputs()) {
    if (input->type().is_static()) continue;
    open.push_back(StrCat("'", input->name(), "' ", input->type()));
    templates.push_back(ShapeTemplate(*input));
  }
  return StrCat(StrJoin(open, ", "), "; give numbers for the open dimensions: ",
                "--input_shape=\"", StrJoin(templates, ";"), "\"");
}

std::vector<std::string> PublicOutputNames(const Graph& graph) {
  std::vector<std::string> names;
  for (size_t i = 0; i < graph.outputs().size(); ++i) {
    const Value& value = *graph.outputs()[i];
    const std::string& node = value.producer() ? value.producer()->name() : value.name();
    std::string name = StrCat(node, ":", value.producer() ? value.output_index() : 0);
    if (!graph.output_name(i).empty()) name += StrCat(":", graph.output_name(i));
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace cairn::compiler
