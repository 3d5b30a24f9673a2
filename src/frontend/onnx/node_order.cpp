// SPDX-License-Identifier: Apache-2.0
// Dependencies between the nodes of an ONNX graph, by tensor name.
#include "frontend/onnx/node_order.h"

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <unordered_set>

namespace cairn::onnx {
namespace {

using NameSet = std::unordered_set<std::string>;

void CollectFreeNames(const GraphProto& graph, NameSet& seen, std::vector<std::string>& free);

void CollectFreeNames(const NodeProto& node, NameSet& seen, std::vector<std::string>& free) {
  for (const AttributeProto& attribute : node.attribute()) {
    if (attribute.has_g()) CollectFreeNames(attribute.g(), seen, free);
    for (const GraphProto& graph : attribute.graphs()) CollectFreeNames(graph, seen, free);
  }
}

void CollectFreeNames(const GraphProto& graph, NameSet& seen, std::vector<std::string>& free) {
  NameSet own;
  for (const auto& input : graph.input()) own.insert(input.name());
  for (const auto& initializer : graph.initializer()) own.insert(initializer.name());
  for (const auto& sparse : graph.sparse_initializer()) own.insert(sparse.values().name());
  for (const auto& node : graph.node()) own.insert(node.output().begin(), node.output().end());
  auto read = [&](const std::string& name) {
    if (!name.empty() && own.count(name) == 0 && seen.insert(name).second) free.push_back(name);
  };
  for (const NodeProto& node : graph.node()) {
    for (const std::string& name : node.input()) read(name);
    std::vector<std::string> nested;
    NameSet nested_seen;
    CollectFreeNames(node, nested_seen, nested);
    for (const std::string& name : nested) read(name);
  }
  for (const auto& output : graph.output()) read(output.name());
}

struct Dependencies {
  std::unordered_map<std::string, int> producer;
  std::vector<std::vector<int>> inputs;  ///< Producers of what each node reads.
};

Result<Dependencies> FindDependencies(const NodeList& nodes,
                                      const std::function<bool(const std::string&)>& known) {
  Dependencies result;
  for (int i = 0; i < nodes.size(); ++i) {
    for (const std::string& output : nodes[i].output()) {
      if (output.empty()) continue;
      const auto [it, inserted] = result.producer.try_emplace(output, i);
      if (!inserted) {
        return Status(Code::kInvalidModel,
                      StrCat("tensor '", output, "' is produced twice: by node '",
                             NodeName(nodes[it->second], it->second), "' and by node '",
                             NodeName(nodes[i], i), "'"));
      }
    }
  }
  result.inputs.resize(static_cast<size_t>(nodes.size()));
  for (int i = 0; i < nodes.size(); ++i) {
    std::vector<std::string> names(nodes[i].input().begin(), nodes[i].input().end());
    for (std::string& name : FreeNames(nodes[i])) names.push_back(std::move(name));
    for (size_t k = 0; k < names.size(); ++k) {
      if (names[k].empty()) continue;
      if (auto it = result.producer.find(names[k]); it != result.producer.end()) {
        result.inputs[static_cast<size_t>(i)].push_back(it->second);
      } else if (!known(names[k])) {
        const bool direct = k < static_cast<size_t>(nodes[i].input_size());
        return Status(
            Code::kInvalidModel,
            StrCat("node '", NodeName(nodes[i], i), "' (", nodes[i].op_type(),
                   "): ", direct ? StrCat("input ", k) : std::string("a subgraph"), " reads '",
                   names[k], "', which no node produces and which is no input or initialiser"));
      }
    }
  }
  return result;
}

/// Marks the nodes that `wanted` tensors depend on.
std::vector<bool> Needed(const Dependencies& deps, size_t count,
                         const std::vector<std::string>* wanted) {
  std::vector<bool> needed(count, wanted == nullptr);
  if (!wanted) return needed;
  std::vector<int> stack;
  for (const std::string& name : *wanted) {
    if (auto it = deps.producer.find(name); it != deps.producer.end()) stack.push_back(it->second);
  }
  while (!stack.empty()) {
    const auto node = static_cast<size_t>(stack.back());
    stack.pop_back();
    if (needed[node]) continue;
    needed[node] = true;
    stack.insert(stack.end(), deps.inputs[node].begin(), deps.inputs[node].end());
  }
  return needed;
}

Status CycleError(const NodeList& nodes, const std::vector<int>& missing) {
  std::vector<std::string> names;
  size_t count = 0;
  for (int i = 0; i < nodes.size(); ++i) {
    if (missing[static_cast<size_t>(i)] <= 0) continue;
    ++count;
    if (names.size() < 8) names.push_back(StrCat("'", NodeName(nodes[i], i), "'"));
  }
  return Status(Code::kInvalidModel,
                StrCat("the graph has a cycle; ", count, " node(s) lie on it or behind it: ",
                       StrJoin(names, ", "), count > names.size() ? ", ..." : ""));
}

}  // namespace

std::string NodeName(const NodeProto& node, int index) {
  return node.name().empty() ? StrCat(node.op_type(), "_", index) : node.name();
}

std::vector<std::string> FreeNames(const NodeProto& node) {
  std::vector<std::string> free;
  NameSet seen;
  CollectFreeNames(node, seen, free);
  return free;
}

Result<std::vector<int>> OrderNodes(const NodeList& nodes,
                                    const std::function<bool(const std::string&)>& known,
                                    const std::vector<std::string>* wanted) {
  ASSIGN_OR_RETURN(const Dependencies deps, FindDependencies(nodes, known));
  const auto count = static_cast<size_t>(nodes.size());
  std::vector<std::vector<int>> readers(count);
  std::vector<int> missing(count, 0);
  for (size_t i = 0; i < count; ++i) {
    for (const int producer : deps.inputs[i])
      readers[static_cast<size_t>(producer)].push_back(static_cast<int>(i));
    missing[i] = static_cast<int>(deps.inputs[i].size());
  }
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (size_t i = 0; i < count; ++i) {
    if (missing[i] == 0) ready.push(static_cast<int>(i));
  }
  std::vector<int> order;
  while (!ready.empty()) {
    const int node = ready.top();
    ready.pop();
    order.push_back(node);
    for (const int reader : readers[static_cast<size_t>(node)]) {
      if (--missing[static_cast<size_t>(reader)] == 0) ready.push(reader);
    }
  }
  if (order.size() != count) return CycleError(nodes, missing);
  const std::vector<bool> needed = Needed(deps, count, wanted);
  std::erase_if(order, [&](int node) { return !needed[static_cast<size_t>(node)]; });
  return order;
}

}  // namespace cairn::onnx
