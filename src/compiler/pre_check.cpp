// SPDX-License-Identifier: Apache-2.0
// Import alone, with one record per node.
#include "compiler/pre_check.h"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "compiler/import_stage.h"

namespace cairn::compiler {
namespace {

constexpr int kTypeUnsupported = 2;  // The public number of this cause.

}  // namespace

std::string CheckReportJson(const std::string& model, std::span<const onnx::ListedNode> nodes,
                            std::span<const onnx::UnsupportedNode> unsupported) {
  using Json = nlohmann::ordered_json;
  std::map<std::string, const onnx::UnsupportedNode*> bad;
  for (const onnx::UnsupportedNode& node : unsupported) bad[node.name] = &node;
  Json ops = Json::array();
  std::map<std::string, const onnx::UnsupportedNode*> inner = bad;
  size_t failed = 0;
  const auto add = [&](const std::string& name, const std::string& type,
                       const onnx::UnsupportedNode* problem) {
    Json op = {{"name", name}, {"type", type}, {"result", problem ? "failed" : "success"}};
    if (problem) {
      const std::string remedy = problem->remedy.empty() ? "" : "; " + problem->remedy;
      op["cause"] =
          Json::array({{{"code", kTypeUnsupported}, {"message", StrCat(problem->reason, remedy)}}});
      ++failed;
    }
    ops.push_back(std::move(op));
  };
  for (const onnx::ListedNode& node : nodes) {
    const auto found = bad.find(node.name);
    add(node.name, node.type, found == bad.end() ? nullptr : found->second);
    inner.erase(node.name);
  }
  // Nodes of bodies and functions are listed when they fail.
  for (const auto& [name, node] : inner) add(name, node->op, node);
  const Json root = {{"name", model},       {"result", failed == 0 ? "success" : "failed"},
                     {"total", ops.size()}, {"pass", ops.size() - failed},
                     {"fail", failed},      {"op", ops}};
  return root.dump(4, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool PreCheckModel(const CompileOptions& options, CompileReport& report, std::string& json) {
  const auto nodes = onnx::ListNodes(options.model_path);
  const auto model = onnx::ImportOnnxFile(options.model_path, options.import, &report.unsupported);
  if (nodes.ok()) {
    const std::string name = std::filesystem::path(options.model_path).stem().string();
    json = CheckReportJson(name, *nodes, report.unsupported);
  }
  if (!model.ok()) ReportImport(model.status(), report);
  return model.ok();
}

}  // namespace cairn::compiler
