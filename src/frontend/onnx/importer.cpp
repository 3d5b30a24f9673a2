// SPDX-License-Identifier: Apache-2.0
// ONNX import: from bytes to a graph with inferred types.
#include "frontend/onnx/importer.h"

#include <filesystem>

#include "frontend/onnx/graph_import.h"
#include "frontend/onnx/op_registry.h"

namespace cairn::onnx {
namespace {

Result<Opsets> ReadOpsets(const ModelProto& model) {
  Opsets opsets;
  for (const OperatorSetIdProto& id : model.opset_import()) {
    const std::string domain(CanonicalDomain(id.domain()));
    const auto [it, inserted] = opsets.try_emplace(domain, id.version());
    if (!inserted && it->second != id.version()) {
      return Status(Code::kInvalidModel,
                    StrCat("operator set '", domain.empty() ? "ai.onnx" : domain,
                           "' is imported in versions ", it->second, " and ", id.version()));
    }
  }
  if (auto it = opsets.find(""); it != opsets.end()) {
    if (it->second < kOldestOpset || it->second > kNewestOpset) {
      return Status(
          Code::kUnsupported,
          StrCat("operator set ai.onnx version ", it->second, ": supported are ", kOldestOpset,
                 " to ", kNewestOpset, "; convert the model with onnx.version_converter"));
    }
  }
  return opsets;
}

Status Summarize(const std::vector<UnsupportedNode>& nodes) {
  constexpr size_t kShown = 8;
  std::string text = StrCat(nodes.size(), " node(s) are not supported");
  for (size_t i = 0; i < nodes.size() && i < kShown; ++i) {
    const UnsupportedNode& node = nodes[i];
    text += StrCat(i == 0 ? ": " : "; ", "'", node.name, "' (", node.op, "): ", node.reason,
                   node.remedy.empty() ? "" : ", ", node.remedy);
  }
  if (nodes.size() > kShown) text += "; ...";
  return Status(Code::kUnsupported, std::move(text));
}

}  // namespace

Result<ImportedModel> ImportOnnx(std::span<const std::byte> bytes, const std::string& folder,
                                 const ImportOptions& options,
                                 std::vector<UnsupportedNode>* unsupported) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ModelProto> model, ParseModel(bytes));
  ImportedModel result;
  result.ir_version = model->ir_version();
  result.producer = model->producer_name();
  if (!model->producer_version().empty()) result.producer += " " + model->producer_version();
  ASSIGN_OR_RETURN(const Opsets opsets, ReadOpsets(*model));
  for (const auto& [domain, version] : opsets) {
    result.opsets[domain.empty() ? "ai.onnx" : domain] = version;
  }
  const std::string& name = model->graph().name();
  result.graph = std::make_unique<Graph>(name.empty() ? "main" : name);
  for (const StringPairProto& pair : model->metadata_props()) {
    result.graph->metadata[pair.key()] = pair.value();
  }
  ExternalData external(folder);
  GraphImport import(*model, external, options);
  const Status status = import.Run(*result.graph, opsets);
  std::vector<UnsupportedNode> nodes = import.TakeUnsupported();
  if (status.ok() && nodes.empty()) return result;
  const Status failure = status.ok() ? Summarize(nodes) : status;
  if (unsupported) *unsupported = std::move(nodes);
  return failure;
}

Result<ImportedModel> ImportOnnxFile(const std::string& path, const ImportOptions& options,
                                     std::vector<UnsupportedNode>* unsupported) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  ASSIGN_OR_RETURN(const MappedFile file, MapFile(path));
  auto model = ImportOnnx(file.bytes, folder.empty() ? "." : folder.string(), options, unsupported);
  if (!model.ok()) return model.status().WithContext(StrCat("model '", path, "'"));
  return model;
}

}  // namespace cairn::onnx
