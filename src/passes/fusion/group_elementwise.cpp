// SPDX-License-Identifier: Apache-2.0
// GroupElementwise: connected element-wise operators with results of one shape become one node.
//
// Groups grow in graph order. Every group and every other node has a time: the place in the order
// where it will stand. Each edge between them goes from an earlier to a later time, always, so that
// the contracted graph has no cycle and needs no sorting.
#include <algorithm>
#include <unordered_map>

#include "passes/elementwise_region.h"
#include "passes/passes.h"

namespace cairn {
namespace {

/// Values with more readers are not looked through when a group is to move.
constexpr size_t kMaxReaders = 64;

struct Group {
  std::vector<Node*> nodes;  ///< In graph order.
  int time = 0;              ///< Position of one of its nodes.
};

class Grouper {
 public:
  explicit Grouper(Graph& graph) : graph_(graph) {}

  Result<int> Run() {
    const std::vector<Node*> nodes = graph_.Nodes();
    for (size_t i = 0; i < nodes.size(); ++i) position_[nodes[i]] = static_cast<int>(i);
    for (Node* node : nodes) {
      if (IsFusible(*node)) Place(*node);
    }
    int changes = 0;
    for (const Group& group : groups_) {
      if (group.nodes.size() < 2 || !IsUsed(group)) continue;
      RETURN_IF_ERROR(Contract(group, nodes[static_cast<size_t>(group.time)]));
      ++changes;
    }
    if (changes > 0) graph_.EraseUnusedConstants();  // Their copies are in the bodies.
    return changes;
  }

 private:
  int TimeOf(const Node* node) const {
    const auto it = group_of_.find(node);
    return it == group_of_.end() ? position_.at(node) : groups_[it->second].time;
  }

  /// Puts the node into the groups of its producers, as many as go together, or into a new one.
  void Place(Node& node) {
    const size_t own = groups_.size();
    groups_.push_back({{&node}, position_.at(&node)});
    group_of_[&node] = own;
    for (const Value* input : node.inputs()) {
      const Node* producer = input ? input->producer() : nullptr;
      const auto it = producer ? group_of_.find(producer) : group_of_.end();
      if (it == group_of_.end() || !SameShape(input, node.output())) continue;
      const size_t with = it->second, now = group_of_.at(&node);
      if (with != now) TryMerge(with, now);
    }
  }

  void TryMerge(size_t a, size_t b) {
    Group merged;
    std::merge(groups_[a].nodes.begin(), groups_[a].nodes.end(), groups_[b].nodes.begin(),
               groups_[b].nodes.end(), std::back_inserter(merged.nodes),
               [&](const Node* x, const Node* y) { return position_.at(x) < position_.at(y); });
    if (!IsSmallEnough(merged)) return;
    for (const int time : {groups_[a].time, groups_[b].time}) {
      merged.time = time;
      if (!FitsAt(merged)) continue;
      for (const Node* node : merged.nodes) group_of_[node] = a;
      groups_[a] = std::move(merged);
      groups_[b].nodes.clear();
      return;
    }
  }

  static bool IsMember(const Group& group, const Node* node) {
    return std::find(group.nodes.begin(), group.nodes.end(), node) != group.nodes.end();
  }

  static bool IsReadOutside(const Group& group, const Value& value) {
    if (value.is_graph_output()) return true;
    const auto& uses = value.uses();
    return std::any_of(uses.begin(), uses.end(),
                       [&](const Use& use) { return !IsMember(group, use.node); });
  }

  static bool IsUsed(const Group& group) {
    return std::any_of(group.nodes.begin(), group.nodes.end(),
                       [&](const Node* node) { return IsReadOutside(group, *node->output()); });
  }

  static bool IsSmallEnough(const Group& group) {
    if (group.nodes.size() > kMaxRegionNodes) return false;
    std::unordered_set<const Value*> operands, constants;
    size_t outputs = 0;
    for (const Node* node : group.nodes) {
      outputs += IsReadOutside(group, *node->output()) ? 1 : 0;
      for (const Value* input : node->inputs()) {
        if (!input || IsMember(group, input->producer())) continue;
        (SplatOf(input) ? constants : operands).insert(input);
      }
    }
    return operands.size() <= kMaxRegionOperands && constants.size() <= kMaxRegionConstants &&
           outputs <= kMaxRegionOutputs;
  }

  /// All operands exist before the group's time, and all readers come after it.
  bool FitsAt(const Group& group) const {
    for (const Node* node : group.nodes) {
      for (const Value* input : node->inputs()) {
        const Node* producer = input ? input->producer() : nullptr;
        if (!producer || IsMember(group, producer)) continue;
        if (TimeOf(producer) >= group.time) return false;
      }
      if (node->output()->uses().size() > kMaxReaders) return false;
      for (const Use& use : node->output()->uses()) {
        if (!IsMember(group, use.node) && TimeOf(use.node) <= group.time) return false;
      }
    }
    return true;
  }

  Status Contract(const Group& group, Node* place) {
    std::vector<Value*> results;
    std::vector<std::string> names;
    for (const Node* node : group.nodes) {
      if (!IsReadOutside(group, *node->output())) continue;
      results.push_back(node->output());
      names.push_back(node->output()->name());
    }
    ASSIGN_OR_RETURN(ElementwiseRegion region,
                     BuildElementwiseRegion("body", group.nodes, nullptr, results));
    const std::string name = group.nodes.back()->name();
    Node* fused = graph_.AddNode("ElementwiseGroup", "", region.operands,
                                 static_cast<int>(results.size()), place);
    fused->Set("body", region.graph);
    for (const Node* node : group.nodes) fused->AddOrigins(node->origins());
    for (size_t i = 0; i < results.size(); ++i) {
      fused->output(i)->set_type(results[i]->type());
      graph_.ReplaceAllUses(results[i], fused->output(i));
    }
    for (auto it = group.nodes.rbegin(); it != group.nodes.rend(); ++it) {
      for (size_t i = 0; i < (*it)->inputs().size(); ++i) (*it)->SetInput(i, nullptr);
    }
    for (Node* node : group.nodes) graph_.EraseNode(node);
    graph_.Rename(fused, name);
    for (size_t i = 0; i < names.size(); ++i) graph_.Rename(fused->output(i), names[i]);
    return InferNode(*fused);
  }

  Graph& graph_;
  std::vector<Group> groups_;
  std::unordered_map<const Node*, size_t> group_of_;
  std::unordered_map<const Node*, int> position_;
};

}  // namespace

Result<int> GroupElementwise(Graph& graph, const PassContext& /*context*/) {
  return Grouper(graph).Run();
}

}  // namespace cairn
