// SPDX-License-Identifier: Apache-2.0
// GroupInterpreted: operators that pass on what a program cannot hold become one node.
//
// A program's tensors have elements of fixed size: strings, sequences and optionals exist only
// inside one task of the reference. Groups are the operators connected by such values, and whatever
// lies on a path between two of a group, so that the contracted graph has no cycle.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "passes/passes.h"
#include "passes/rewrite.h"

namespace cairn {
namespace {

bool IsHeldByPrograms(const Value* value) {
  return !value || (value->type().kind == ValueKind::kTensor &&
                    value->type().dtype != ElementType::kString);
}

using NodeSet = std::unordered_set<const Node*>;

class InterpretedGrouper {
 public:
  explicit InterpretedGrouper(Graph& graph) : graph_(graph), nodes_(graph.Nodes()) {}

  Result<int> Run() {
    FindLinks();
    int changes = 0;
    for (NodeSet rest = linked_; !rest.empty();) {
      // A group may take in others on its way; those are done then.
      const NodeSet group = GroupOf(*FirstOf(rest));
      for (const Node* node : group) rest.erase(node);
      if (group.size() < 2 && !ReadsHeldConstants(group)) continue;
      RETURN_IF_ERROR(Contract(group));
      RETURN_IF_ERROR(graph_.Sort());
      nodes_ = graph_.Nodes();
      ++changes;
    }
    if (changes > 0) graph_.EraseUnusedConstants();
    return changes;
  }

 private:
  void FindLinks() {
    for (const Node* node : nodes_) {
      if (node->op() == "InterpretedGroup") continue;
      const auto unheld = [](const Value* value) { return !IsHeldByPrograms(value); };
      if (std::any_of(node->inputs().begin(), node->inputs().end(), unheld) ||
          std::any_of(node->outputs().begin(), node->outputs().end(), unheld)) {
        linked_.insert(node);
      }
    }
  }

  const Node* FirstOf(const NodeSet& set) const {
    return *std::find_if(nodes_.begin(), nodes_.end(),
                         [&](const Node* node) { return set.count(node) != 0; });
  }

  /// A single node is worth a group when it reads string constants, which go inside.
  static bool ReadsHeldConstants(const NodeSet& group) {
    const auto& inputs = (*group.begin())->inputs();
    return std::any_of(inputs.begin(), inputs.end(), [](const Value* value) {
      return value && value->is_constant() && !IsHeldByPrograms(value);
    });
  }

  NodeSet GroupOf(const Node& first) const {
    NodeSet group = {&first};
    for (size_t size = 0; size != group.size();) {
      size = group.size();
      AddNeighbours(group);
      AddBetween(group);
    }
    return group;
  }

  /// Adds all that is connected to the group by values that no program holds.
  static void AddNeighbours(NodeSet& group) {
    std::vector<const Node*> open(group.begin(), group.end());
    const auto visit = [&](const Node* node) {
      if (node && group.insert(node).second) open.push_back(node);
    };
    while (!open.empty()) {
      const Node* node = open.back();
      open.pop_back();
      for (const Value* input : node->inputs()) {
        if (IsHeldByPrograms(input) || input->is_constant()) continue;
        visit(input->producer());
        for (const Use& use : input->uses()) visit(use.node);
      }
      for (const Value* output : node->outputs()) {
        if (IsHeldByPrograms(output)) continue;
        for (const Use& use : output->uses()) visit(use.node);
      }
    }
  }

  /// Adds what comes after one node of the group and before another.
  void AddBetween(NodeSet& group) const {
    NodeSet after, before;
    for (const Node* node : nodes_) {
      for (const Value* input : node->inputs()) {
        const Node* producer = input ? input->producer() : nullptr;
        if (producer && (group.count(producer) != 0 || after.count(producer) != 0)) {
          after.insert(node);
        }
      }
    }
    for (auto it = nodes_.rbegin(); it != nodes_.rend(); ++it) {
      for (const Value* output : (*it)->outputs()) {
        if (!output) continue;
        for (const Use& use : output->uses()) {
          if (group.count(use.node) != 0 || before.count(use.node) != 0) before.insert(*it);
        }
      }
    }
    for (const Node* node : nodes_) {
      if (after.count(node) != 0 && before.count(node) != 0) group.insert(node);
    }
  }

  /// The group as a graph of its own; `operands` and `results` are what it shares with the rest.
  Region BuildBody(const std::vector<Node*>& members, std::vector<Value*>& operands,
                   std::vector<Value*>& results) const {
    auto body = std::make_shared<Graph>("body");
    body->ReserveSymbolsOf(graph_);
    std::unordered_map<const Value*, Value*> inner;
    const NodeSet group(members.begin(), members.end());
    const auto import = [&](Value* value) -> Value* {
      if (!value) return nullptr;
      auto [it, inserted] = inner.try_emplace(value, nullptr);
      if (!inserted) return it->second;
      if (value->is_constant()) return it->second = body->AddConstant("", value->constant());
      operands.push_back(value);
      it->second = body->AddInput(value->name(), value->type());
      it->second->set_elements(value->elements());
      return it->second;
    };
    for (const Node* node : members) {
      std::vector<Value*> inputs;
      for (Value* input : node->inputs()) inputs.push_back(import(input));
      Node* copy = body->AddNode(node->op(), node->name(), std::move(inputs),
                                 static_cast<int>(node->outputs().size()));
      for (const auto& [name, attribute] : node->attributes()) copy->Set(name, attribute);
      copy->AddOrigins(node->origins());
      for (size_t i = node->outputs().size(); i-- > 0;) {
        Value* output = node->output(i);
        if (!output) {
          body->EraseOutput(copy, i);
          continue;
        }
        copy->output(i)->set_type(output->type());
        inner[output] = copy->output(i);
      }
    }
    for (const Node* node : members) {
      for (Value* output : node->outputs()) {
        if (!output || !IsReadOutside(group, *output)) continue;
        results.push_back(output);
        body->AddOutput(inner.at(output));
      }
    }
    return body;
  }

  static bool IsReadOutside(const NodeSet& group, const Value& value) {
    return value.is_graph_output() ||
           std::any_of(value.uses().begin(), value.uses().end(),
                       [&](const Use& use) { return group.count(use.node) == 0; });
  }

  Status Contract(const NodeSet& group) {
    std::vector<Node*> members;
    for (Node* node : nodes_) {
      if (group.count(node) != 0) members.push_back(node);
    }
    std::vector<Value*> operands, results;
    std::vector<std::string> names;
    Region body = BuildBody(members, operands, results);
    for (const Value* result : results) names.push_back(result->name());
    const std::string name = members.back()->name();
    Node* node = graph_.AddNode("InterpretedGroup", "", operands, static_cast<int>(results.size()),
                                members.back());
    node->Set("body", std::move(body));
    for (const Node* member : members) node->AddOrigins(member->origins());
    for (size_t i = 0; i < results.size(); ++i) {
      node->output(i)->set_type(results[i]->type());
      graph_.ReplaceAllUses(results[i], node->output(i));
    }
    for (auto it = members.rbegin(); it != members.rend(); ++it) {
      for (size_t i = 0; i < (*it)->inputs().size(); ++i) (*it)->SetInput(i, nullptr);
    }
    for (Node* member : members) graph_.EraseNode(member);
    graph_.Rename(node, name);
    for (size_t i = 0; i < names.size(); ++i) graph_.Rename(node->output(i), names[i]);
    return InferNode(*node);
  }

  Graph& graph_;
  std::vector<Node*> nodes_;
  NodeSet linked_;
};

}  // namespace

Result<int> GroupInterpreted(Graph& graph, const PassContext& /*context*/) {
  return InterpretedGrouper(graph).Run();
}

}  // namespace cairn
