// SPDX-License-Identifier: Apache-2.0
// Shared pieces of passes.
#include "passes/rewrite.h"

#include <algorithm>
#include <cmath>

namespace cairn {

Node* ProducerOf(const Value* value, std::string_view op) {
  Node* node = value ? value->producer() : nullptr;
  return node && node->op() == op && !node->epilogue() ? node : nullptr;
}

bool IsDead(const Node& node) {
  return std::none_of(node.outputs().begin(), node.outputs().end(),
                      [](const Value* output) { return output && output->num_uses() > 0; });
}

Node* SoleReader(const Value* value) {
  if (!value || value->num_uses() != 1 || value->uses().size() != 1) return nullptr;
  Node* reader = value->uses()[0].node;
  return IsDead(*reader) ? nullptr : reader;
}

const Tensor* ConstantOf(const Value* value) {
  return value && value->is_constant() ? &value->constant() : nullptr;
}

std::optional<double> SplatOf(const Value* value) {
  const Tensor* tensor = ConstantOf(value);
  const bool numeric = tensor && (IsInteger(tensor->dtype()) || IsFloat(tensor->dtype()));
  if (!numeric || tensor->num_elements() == 0) return std::nullopt;
  const double first = tensor->GetDouble(0);
  for (int64_t i = 1; i < tensor->num_elements(); ++i) {
    const double other = tensor->GetDouble(i);
    if (other != first || std::signbit(other) != std::signbit(first)) return std::nullopt;
  }
  return first;
}

std::optional<Ints> IntsOf(const Value* value) {
  const Tensor* tensor = ConstantOf(value);
  if (!tensor || !IsInteger(tensor->dtype())) return std::nullopt;
  Ints ints;
  for (int64_t i = 0; i < tensor->num_elements(); ++i) ints.push_back(tensor->GetInt(i));
  return ints;
}

Value* OtherInput(const Node& node, const Value* value) {
  if (node.num_formal_inputs() != 2) return nullptr;
  if (node.input(0) == value) return node.input(1);
  return node.input(1) == value ? node.input(0) : nullptr;
}

bool SameShape(const Value* a, const Value* b) {
  return a && b && a->type().dims && b->type().dims && *a->type().dims == *b->type().dims;
}

bool SameType(const Value* a, const Value* b) {
  return SameShape(a, b) && a->type().dtype == b->type().dtype && a->type().kind == b->type().kind;
}

bool BroadcastsTo(const Value* value, const Dims& dims) {
  if (!value || !value->type().dims || value->type().dims->size() > dims.size()) return false;
  const Dims& own = *value->type().dims;
  const size_t lead = dims.size() - own.size();
  for (size_t i = 0; i < own.size(); ++i) {
    if (!(own[i] == Dim(1)) && !(own[i] == dims[lead + i])) return false;
  }
  return true;
}

std::optional<int64_t> NormalAxis(int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank) return std::nullopt;
  return axis < 0 ? axis + rank : axis;
}

std::optional<Ints> ReductionAxes(const Node& node) {
  const Value* data = node.input(0);
  if (!data || !data->type().dims) return std::nullopt;
  const int64_t rank = data->type().rank();
  Ints axes;
  if (node.input(1)) {
    const auto given = IntsOf(node.input(1));
    if (!given) return std::nullopt;
    for (const int64_t axis : *given) {
      const auto normal = NormalAxis(axis, rank);
      if (!normal) return std::nullopt;
      axes.push_back(*normal);
    }
  }
  if (axes.empty()) {
    if (node.GetInt("noop_with_empty_axes", 0) != 0) return std::nullopt;
    for (int64_t i = 0; i < rank; ++i) axes.push_back(i);
  }
  std::sort(axes.begin(), axes.end());
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  return axes;
}

bool IsClosed(const std::unordered_set<const Node*>& nodes, const Node* root) {
  for (const Node* node : nodes) {
    if (node == root) continue;
    for (const Value* output : node->outputs()) {
      if (!output) continue;
      if (output->is_graph_output()) return false;
      for (const Use& use : output->uses()) {
        if (!nodes.count(use.node)) return false;
      }
    }
  }
  return true;
}

bool IsPlainFloat(ElementType type) {
  return type == ElementType::kF32 || type == ElementType::kF64 || type == ElementType::kF16 ||
         type == ElementType::kBf16;
}

namespace {

void VisitProducersFirst(const std::unordered_set<const Node*>& nodes, const Node* node,
                         std::unordered_set<const Node*>& seen, std::vector<const Node*>& order) {
  if (!node || !nodes.count(node) || !seen.insert(node).second) return;
  for (const Value* input : node->inputs()) {
    if (input) VisitProducersFirst(nodes, input->producer(), seen, order);
  }
  order.push_back(node);
}

}  // namespace

std::vector<const Node*> InOrder(const std::unordered_set<const Node*>& nodes, const Node* root) {
  std::unordered_set<const Node*> seen;
  std::vector<const Node*> order;
  VisitProducersFirst(nodes, root, seen, order);
  return order;
}

Result<Tensor> MakeTensor(ElementType dtype, Shape shape, const std::vector<double>& values) {
  ASSIGN_OR_RETURN(Tensor tensor, Tensor::Allocate(dtype, std::move(shape)));
  CAIRN_CHECK(tensor.num_elements() == static_cast<int64_t>(values.size()),
              "values do not fill the tensor");
  for (size_t i = 0; i < values.size(); ++i) tensor.SetDouble(static_cast<int64_t>(i), values[i]);
  return tensor;
}

Value* AddInts(Graph& graph, const std::string& name, const Ints& values) {
  return graph.AddConstant(name, Tensor::FromInts(values));
}

Result<Node*> BuildNode(Graph& graph, const std::string& op, const std::string& name,
                        std::vector<Value*> inputs, Attributes attributes, Node* before,
                        const std::vector<const Node*>& from) {
  Node* node = graph.AddNode(op, name, std::move(inputs), 1, before);
  for (auto& [key, value] : attributes) node->Set(key, std::move(value));
  for (const Node* source : from) node->AddOrigins(source->origins());
  RETURN_IF_ERROR(InferNode(*node));
  return node;
}

namespace {

Status CheckReplacement(const Value& from, const Value& to) {
  const TensorType &a = from.type(), &b = to.type();
  bool fits = a.dtype == b.dtype && a.kind == b.kind;
  if (fits && a.dims && b.dims) {
    fits = a.dims->size() == b.dims->size();
    for (size_t i = 0; fits && i < a.dims->size(); ++i) {
      const Dim &x = (*a.dims)[i], &y = (*b.dims)[i];
      fits = !x.is_const() || !y.is_const() || x == y;
    }
  }
  return fits ? OkStatus()
              : Status(Code::kInternal,
                       StrCat("'", from.name(), "' of type ", a, " cannot be replaced by '",
                              to.name(), "' of type ", b));
}

/// The reader sees at least what was known before.
void KeepKnownType(const Value& from, Value& to) {
  if (!from.type().dims || to.is_constant()) return;
  if (!to.type().dims) {
    to.set_type(from.type());
  } else {
    TensorType type = to.type();
    for (size_t i = 0; i < type.dims->size(); ++i) {
      if ((*from.type().dims)[i].is_const()) (*type.dims)[i] = (*from.type().dims)[i];
    }
    to.set_type(std::move(type));
  }
}

}  // namespace

Status ReplaceValue(Graph& graph, Value* from, Value* to) {
  RETURN_IF_ERROR(CheckReplacement(*from, *to));
  KeepKnownType(*from, *to);
  Node* old = from->producer();
  graph.ReplaceAllUses(from, to);
  EraseUnused(graph, old);
  return OkStatus();
}

Status TakeOver(Graph& graph, Value* from, Value* to) {
  Node* maker = to->producer();
  Node* old = from->producer();
  if (maker && old && maker != old) maker->AddOrigins(old->origins());
  const std::string name = from->name();
  RETURN_IF_ERROR(ReplaceValue(graph, from, to));
  if (maker && !graph.FindValue(name)) graph.Rename(to, name);
  return OkStatus();
}

void EraseUnused(Graph& graph, Node* node) {
  std::vector<Node*> work = {node};
  while (!work.empty()) {
    Node* next = work.back();
    work.pop_back();
    if (!next || !graph.Contains(next)) continue;
    if (!IsDead(*next)) continue;
    for (const Value* input : next->inputs()) {
      if (input) work.push_back(input->producer());
    }
    graph.EraseNode(next);
  }
}

Result<int> ForEachNode(Graph& graph, const NodeRewrite& rewrite) {
  int changes = 0;
  for (Node* node : graph.Nodes()) {
    if (!graph.Contains(node) || IsDead(*node)) continue;
    const std::string name = node->name();
    auto changed = rewrite(graph, *node);
    if (!changed.ok()) return changed.status().WithContext(StrCat("at node '", name, "'"));
    changes += *changed ? 1 : 0;
  }
  return changes;
}

}  // namespace cairn
