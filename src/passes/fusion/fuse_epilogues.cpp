// SPDX-License-Identifier: Apache-2.0
// FuseEpilogues: element-wise operators behind a convolution or matrix product are applied to its
// results before they leave the cache.
//
// From the producer's output the region grows over its readers. It is taken as far as exactly one
// of its values, the last, is read outside: then no operand can depend on the producer by another
// way, and the producer may move to the place of the last node, where all operands exist.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "passes/elementwise_region.h"
#include "passes/passes.h"

namespace cairn {
namespace {

bool CanCarryEpilogue(const Node& node) {
  const std::string& op = node.op();
  if (op != "Conv" && op != "ConvTranspose" && op != "MatMul") return false;
  const Value* y = node.output();
  // A vector on the right leaves no axis of channels.
  const auto& right = node.input(1)->type().dims;
  if (op == "MatMul" && (!right || right->size() < 2)) return false;
  return y && !node.epilogue() && node.outputs().size() == 1 && y->type().dims &&
         y->type().rank() >= 2 && IsPlainFloat(y->type().dtype);
}

/// The operand is as large as the result, or one number, or one number per channel (column).
bool IsEpilogueOperand(const Value* operand, const Value* y, size_t channel_axis) {
  if (SameShape(operand, y)) return true;
  const Dims &own = *operand->type().dims, &dims = *y->type().dims;
  const size_t lead = dims.size() - own.size();
  for (size_t i = 0; i < own.size(); ++i) {
    if (!(own[i] == Dim(1)) && lead + i != channel_axis) return false;
  }
  return true;
}

class EpilogueGrower {
 public:
  using Positions = std::unordered_map<const Node*, int>;
  EpilogueGrower(Node& anchor, const Positions& positions)
      : anchor_(anchor), positions_(positions) {
    const Value* y = anchor.output();
    channel_axis_ = anchor.op() == "MatMul" ? static_cast<size_t>(y->type().rank()) - 1 : 1;
    AddValue(*y);
  }

  /// The longest region that is closed but for its last value.
  std::vector<Node*> Run() {
    size_t closed = 0;
    while (!readers_.empty() && nodes_.size() < kMaxRegionNodes) {
      Node* node = readers_.begin()->second;
      readers_.erase(readers_.begin());
      if (!Accepts(*node)) continue;
      nodes_.push_back(node);
      for (const Value* input : node->inputs()) open_ -= values_.count(input) ? 1 : 0;
      AddValue(*node->output());
      if (open_ == node->output()->num_uses()) closed = nodes_.size();
    }
    nodes_.resize(closed);
    return nodes_;
  }

 private:
  void AddValue(const Value& value) {
    values_.insert(&value);
    open_ += value.num_uses();
    for (const Use& use : value.uses()) {
      const auto position = positions_.find(use.node);
      if (position != positions_.end()) readers_.emplace(position->second, use.node);
    }
  }

  bool Accepts(const Node& node) {
    if (!IsFusible(node) || !SameType(node.output(), anchor_.output())) return false;
    std::vector<const Value*> added;
    size_t constants = 0;
    for (const Value* input : node.inputs()) {
      if (!input || values_.count(input)) continue;
      if (input->type().dtype != anchor_.output()->type().dtype) return false;
      if (!IsEpilogueOperand(input, anchor_.output(), channel_axis_)) return false;
      if (SplatOf(input)) {
        ++constants;
      } else {
        added.push_back(input);
      }
    }
    if (operands_ + added.size() > kMaxRegionOperands ||
        constants_ + constants > kMaxRegionConstants) {
      return false;
    }
    operands_ += added.size();
    constants_ += constants;
    return true;
  }

  Node& anchor_;
  const Positions& positions_;
  size_t channel_axis_ = 1;
  std::vector<Node*> nodes_;
  std::unordered_set<const Value*> values_;  // The anchor's output and the region's.
  std::set<std::pair<int, Node*>> readers_;  // Of those values, in graph order.
  int open_ = 0;                             // Uses of those values outside the region.
  size_t operands_ = 0, constants_ = 0;
};

Status Attach(Graph& graph, Node& anchor, const std::vector<Node*>& nodes) {
  Value* y = anchor.output();
  Value* last = nodes.back()->output();
  const std::string value_name = last->name();
  ASSIGN_OR_RETURN(ElementwiseRegion region, BuildElementwiseRegion("epilogue", nodes, y, {last}));
  graph.MoveBefore(&anchor, nodes.back());
  for (const Node* node : nodes) anchor.AddOrigins(node->origins());
  graph.ReplaceAllUses(last, y);
  for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
    Node* node = *it;
    for (size_t i = 0; i < node->inputs().size(); ++i) node->SetInput(i, nullptr);
    graph.EraseNode(node);
  }
  for (Value* operand : region.operands) anchor.AddInput(operand);
  anchor.Set("epilogue", region.graph);
  anchor.Set("num_epilogue_inputs", static_cast<int64_t>(region.operands.size()));
  graph.Rename(y, value_name);
  return OkStatus();
}

}  // namespace

Result<int> FuseEpilogues(Graph& graph, const PassContext& /*context*/) {
  EpilogueGrower::Positions positions;
  std::vector<Node*> anchors;
  for (Node* node : graph.Nodes()) {
    positions[node] = static_cast<int>(positions.size());
    if (CanCarryEpilogue(*node)) anchors.push_back(node);
  }
  int changes = 0;
  // Last first: of two producers that meet in a residual sum, the later one takes it.
  std::reverse(anchors.begin(), anchors.end());
  for (Node* anchor : anchors) {
    const std::vector<Node*> nodes = EpilogueGrower(*anchor, positions).Run();
    if (nodes.empty()) continue;
    for (const Node* node : nodes) positions.erase(node);
    RETURN_IF_ERROR(Attach(graph, *anchor, nodes));
    ++changes;
  }
  if (changes > 0) graph.EraseUnusedConstants();  // Their copies are in the regions.
  return changes;
}

}  // namespace cairn
