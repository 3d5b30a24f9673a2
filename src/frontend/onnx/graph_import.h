// SPDX-License-Identifier: Apache-2.0
// Imports the nodes of a graph, of its regions, and of inlined functions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/onnx/frame.h"
#include "frontend/onnx/importer.h"
#include "frontend/onnx/node_import.h"

namespace cairn::onnx {

/// State of one import: the model's functions, its external data, and what is unsupported so far.
class GraphImport {
 public:
  GraphImport(ModelProto& model, ExternalData& external, const ImportOptions& options);

  /// Builds the main graph: inputs, nodes, outputs. Unsupported nodes are collected; the graph is
  /// then of no use.
  Status Run(Graph& graph, const Opsets& opsets);
  std::vector<UnsupportedNode> TakeUnsupported() { return std::move(unsupported_); }

 private:
  struct Call;

  Status BindInitializers(GraphProto& proto, Frame& frame);
  Status AddInputs(GraphProto& proto, Frame& frame);
  Result<TensorType> InputType(const ValueInfoProto& info);
  Status CheckInputOptions(const GraphProto& proto, const Frame& frame) const;
  Status BindSymbols(const std::string& input, const Dims& declared, const Dims& given);
  Status AddOutputs(GraphProto& proto, Frame& frame);
  Result<std::vector<std::pair<std::string, std::string>>> WantedOutputs(const GraphProto& proto);

  /// Imports `nodes` in dependency order; with `wanted`, only those the wanted tensors need.
  Status ImportNodes(google::protobuf::RepeatedPtrField<NodeProto>& nodes, Frame& frame,
                     const std::vector<std::string>* wanted);
  Status ImportNode(NodeProto& proto, int index, Frame& frame);
  Status ConvertNode(NodeProto& proto, NodeImport& node, Frame& frame);
  Status ImportAttributes(NodeProto& proto, NodeImport& node, Frame& frame);
  Result<Attribute> ImportAttribute(AttributeProto& proto, const NodeImport& node, Frame& frame);
  Status FindCaptures(NodeProto& proto, NodeImport& node, Frame& frame);
  Result<Region> ImportRegion(GraphProto& proto, const NodeImport& node, Frame& outer);
  /// The element type of input `index` of a region of the node, as far as the operator says it.
  static ElementType RegionInputType(const NodeImport& node, size_t index);
  /// Imports a branch of an If whose condition is known in place of the If: the other branch need
  /// not make sense for these shapes.
  Status InlineBranch(bool condition, NodeProto& proto, NodeImport& node, Frame& frame);
  Status InlineFunction(FunctionProto& function, NodeProto& proto, NodeImport& node, Frame& frame);
  FunctionProto* FindFunction(const NodeProto& proto);
  /// Binds the outputs' names and holds inferred against declared types.
  Status BindOutputs(const NodeProto& proto, NodeImport& node, Frame& frame);
  Status MergeDeclaredType(const std::string& name, Value* value, const NodeImport& node,
                           Frame& frame);
  void AddUnsupported(const NodeProto& proto, const NodeImport& node, const Frame& frame,
                      std::string reason);
  void BindPlaceholders(const NodeProto& proto, NodeImport& node, Frame& frame);

  ModelProto& model_;
  ExternalData& external_;
  const ImportOptions& options_;
  std::vector<UnsupportedNode> unsupported_;
  std::map<std::string, Dim> symbols_;                ///< Values given to the model's symbols.
  std::map<std::string, std::string> symbol_source_;  ///< The input that gave it, for messages.
  std::vector<const FunctionProto*> calls_;           ///< Functions being inlined.
  int64_t num_nodes_ = 0;
};

}  // namespace cairn::onnx
