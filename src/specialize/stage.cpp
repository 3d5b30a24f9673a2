// SPDX-License-Identifier: Apache-2.0
// Copies nodes into a graph of static shapes for as long as inference finds all shapes.
#include "specialize/stage.h"

#include <algorithm>

#include "ops/op_def.h"

namespace cairn::specialize {
namespace {

class StageBuilder {
 public:
  StageBuilder(const ModelIndex& model, const KnownTypes& known)
      : model_(model), known_(known), copies_(model.values().size()) {
    stage_.graph = std::make_unique<Graph>(model.graph().name());
  }

  Result<StageGraph> Build(uint32_t begin) {
    const auto count = static_cast<uint32_t>(model_.nodes().size());
    for (stage_.end = begin; stage_.end < count; ++stage_.end) {
      ASSIGN_OR_RETURN(const bool added, AddNode(*model_.nodes()[stage_.end]));
      if (!added) break;
    }
    AddOutputs(begin);
    EraseDeadNodes();
    return std::move(stage_);
  }

 private:
  /// The stage's value for one of the model.
  Result<Value*> CopyOf(const Value* value) {
    if (value == nullptr) return nullptr;
    Value*& copy = copies_[model_.IdOf(value)];
    if (copy != nullptr) return copy;
    if (value->is_constant()) return copy = stage_.graph->AddConstant(value->name(), value->constant());
    const uint32_t id = model_.IdOf(value);
    if (!known_[id]) {
      return Status(Code::kInternal, StrCat("value '", value->name(), "' is read before it exists"));
    }
    stage_.inputs.push_back(id);
    return copy = stage_.graph->AddInput(value->name(), *known_[id]);
  }

  /// False when the shapes of the node's results are not known.
  Result<bool> AddNode(const Node& node) {
    std::vector<Value*> inputs;
    for (const Value* input : node.inputs()) {
      ASSIGN_OR_RETURN(Value * copy, CopyOf(input));
      inputs.push_back(copy);
    }
    std::vector<std::string> names;
    for (const Value* output : node.outputs()) names.push_back(output ? output->name() : "");
    Node* copy = stage_.graph->AddNode(node.op(), node.name(), std::move(inputs),
                                       static_cast<int>(names.size()), nullptr, names);
    for (size_t i = 0; i < names.size(); ++i) {
      if (node.output(i) == nullptr) stage_.graph->EraseOutput(copy, i);
    }
    for (const auto& [name, value] : node.attributes()) copy->Set(name, value);
    copy->AddOrigins(node.origins());
    RETURN_IF_ERROR(InferNode(*copy));
    if (!IsPlannable(*copy)) {
      stage_.graph->EraseNode(copy);
      return false;
    }
    bool all_known = true;
    for (size_t i = 0; i < names.size(); ++i) {
      if (node.output(i) != nullptr) all_known &= TakeOver(*node.output(i), *copy->output(i));
    }
    if (all_known) stage_.graph->EraseNode(copy);
    return true;
  }

  static bool IsPlannable(const Node& node) {
    return std::ranges::all_of(node.outputs(), [](const Value* output) {
      return output == nullptr ||
             (output->type().kind == ValueKind::kTensor && output->type().is_static());
    });
  }

  /// Maps the model's value to the copy, or to a constant when its elements are known.
  bool TakeOver(const Value& value, Value& copy) {
    Value*& slot = copies_[model_.IdOf(&value)];
    slot = &copy;
    const auto elements = KnownElements(copy);
    if (!elements) return false;
    const auto numbers = ConstDims(*elements);
    if (!numbers) return false;
    auto tensor = Tensor::Allocate(copy.type().dtype, *ConstDims(*copy.type().dims));
    if (!tensor.ok() || tensor->num_elements() != static_cast<int64_t>(numbers->size()))
      return false;
    for (size_t i = 0; i < numbers->size(); ++i)
      tensor->SetInt(static_cast<int64_t>(i), (*numbers)[i]);
    slot = stage_.graph->AddConstant("", std::move(*tensor));
    return true;
  }

  /// What is made here and read later, and outputs of the model.
  void AddOutputs(uint32_t begin) {
    for (uint32_t n = begin; n < stage_.end; ++n) {
      for (const Value* output : model_.nodes()[n]->outputs()) {
        if (output == nullptr) continue;
        const uint32_t id = model_.IdOf(output);
        if (!output->is_graph_output() &&
            (output->uses().empty() || model_.last_reader(id) < stage_.end)) {
          continue;
        }
        stage_.graph->AddOutput(copies_[id], output->name());
        stage_.outputs.push_back(id);
      }
    }
  }

  void EraseDeadNodes() {
    std::vector<Node*> nodes = stage_.graph->Nodes();
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
      const bool is_used = std::ranges::any_of((*node)->outputs(), [](const Value* output) {
        return output != nullptr && output->num_uses() > 0;
      });
      if (!is_used) stage_.graph->EraseNode(*node);
    }
    stage_.graph->EraseUnusedConstants();
  }

  const ModelIndex& model_;
  const KnownTypes& known_;
  std::vector<Value*> copies_;
  StageGraph stage_;
};

}  // namespace

ModelIndex::ModelIndex(const Graph& graph)
    : graph_(graph), nodes_(graph.Nodes()), values_(graph.Values()) {
  for (uint32_t i = 0; i < values_.size(); ++i) ids_[values_[i]] = i;
  last_reader_.resize(values_.size(), 0);
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    for (const Value* input : nodes_[n]->inputs()) {
      if (input) last_reader_[IdOf(input)] = n;
    }
  }
  for (const Value* input : graph.inputs()) inputs_.push_back(IdOf(input));
  for (const Value* output : graph.outputs()) {
    outputs_.push_back(IdOf(output));
    last_reader_[outputs_.back()] = static_cast<uint32_t>(nodes_.size());
  }
}

Result<StageGraph> BuildStage(const ModelIndex& model, uint32_t begin, const KnownTypes& known) {
  return StageBuilder(model, known).Build(begin);
}

}  // namespace cairn::specialize
