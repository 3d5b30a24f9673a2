// SPDX-License-Identifier: Apache-2.0
// Lists the nodes of a model file.
#include "frontend/onnx/node_list.h"

#include <map>

#include "frontend/onnx/model_file.h"
#include "frontend/onnx/node_order.h"

namespace cairn::onnx {

Result<std::vector<ListedNode>> ListNodes(const std::string& path) {
  ASSIGN_OR_RETURN(const MappedFile file, MapFile(path));
  ASSIGN_OR_RETURN(const std::unique_ptr<ModelProto> model, ParseModel(file.bytes));
  std::map<std::string, int64_t> opsets;
  for (const OperatorSetIdProto& opset : model->opset_import()) {
    opsets[opset.domain() == "ai.onnx" ? "" : opset.domain()] = opset.version();
  }
  std::vector<ListedNode> nodes;
  for (int i = 0; i < model->graph().node_size(); ++i) {
    const NodeProto& node = model->graph().node(i);
    const std::string domain = node.domain() == "ai.onnx" ? "" : node.domain();
    const auto opset = opsets.find(domain);
    nodes.push_back({NodeName(node, i),
                     StrCat(domain.empty() ? "ai.onnx" : domain,
                            "::", opset == opsets.end() ? StrCat("?") : StrCat(opset->second),
                            "::", node.op_type())});
  }
  return nodes;
}

}  // namespace cairn::onnx
