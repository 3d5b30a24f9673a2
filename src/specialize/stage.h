// SPDX-License-Identifier: Apache-2.0
// Stage: the nodes that can be planned together because their shapes are known.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "ir/graph.h"

namespace cairn::specialize {

/// The model's nodes and values by number.
class ModelIndex {
 public:
  explicit ModelIndex(const Graph& graph);

  const Graph& graph() const { return graph_; }
  const std::vector<Node*>& nodes() const { return nodes_; }
  const std::vector<Value*>& values() const { return values_; }
  uint32_t IdOf(const Value* value) const { return ids_.at(value); }
  /// The last node that reads the value; num_nodes for an output of the model.
  uint32_t last_reader(uint32_t value) const { return last_reader_[value]; }
  const std::vector<uint32_t>& inputs() const { return inputs_; }
  const std::vector<uint32_t>& outputs() const { return outputs_; }

 private:
  const Graph& graph_;
  std::vector<Node*> nodes_;
  std::vector<Value*> values_;
  std::unordered_map<const Value*, uint32_t> ids_;
  std::vector<uint32_t> last_reader_, inputs_, outputs_;
};

/// The concrete type of a value that exists, by value; absent ones are undefined.
using KnownTypes = std::vector<std::optional<TensorType>>;

struct StageGraph {
  std::unique_ptr<Graph> graph;  ///< Of static shapes; its inputs and outputs are those below.
  std::vector<uint32_t> inputs, outputs;
  uint32_t end = 0;  ///< The first node that is not in it.
};

/// The longest stage that begins at node `begin`. Nodes whose results are known from shapes alone
/// become constants. Errors of inference name the node: the shapes contradict the model.
Result<StageGraph> BuildStage(const ModelIndex& model, uint32_t begin, const KnownTypes& known);

}  // namespace cairn::specialize
