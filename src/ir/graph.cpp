// SPDX-License-Identifier: Apache-2.0
// Editing operations of the graph.
#include "ir/graph.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace cairn {
namespace {

/// `name`, or with the first free suffix "_1", "_2", ... when `taken` has it.
template <class Map>
std::string MakeUnique(const Map& taken, std::string name) {
  if (taken.find(name) == taken.end()) return name;
  for (int64_t i = 1;; ++i) {
    std::string candidate = StrCat(name, "_", i);
    if (taken.find(candidate) == taken.end()) return candidate;
  }
}

void RemoveUse(std::vector<Use>& uses, const Use& use) {
  auto it = std::find(uses.begin(), uses.end(), use);
  CAIRN_CHECK(it != uses.end(), "a value does not know its reader");
  uses.erase(it);
}

}  // namespace

bool Node::HasAttribute(std::string_view name) const {
  return attributes_.find(std::string(name)) != attributes_.end();
}

int64_t Node::GetInt(std::string_view name, int64_t fallback) const {
  const auto* value = Get<int64_t>(name);
  return value ? *value : fallback;
}

float Node::GetFloat(std::string_view name, float fallback) const {
  const auto* value = Get<float>(name);
  return value ? *value : fallback;
}

std::string Node::GetString(std::string_view name, std::string_view fallback) const {
  const auto* value = Get<std::string>(name);
  return value ? *value : std::string(fallback);
}

Ints Node::GetInts(std::string_view name, const Ints& fallback) const {
  const auto* value = Get<Ints>(name);
  return value ? *value : fallback;
}

void Node::AddOrigins(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::find(origins_.begin(), origins_.end(), name) == origins_.end()) {
      origins_.push_back(name);
    }
  }
}

std::vector<Graph*> Node::Regions() const {
  std::vector<Graph*> regions;
  for (const auto& [name, attribute] : attributes_) {
    if (const auto* region = std::get_if<Region>(&attribute)) regions.push_back(region->get());
    if (const auto* list = std::get_if<std::vector<Region>>(&attribute)) {
      for (const Region& region : *list) regions.push_back(region.get());
    }
  }
  return regions;
}

void Node::SetInput(size_t index, Value* value) {
  CAIRN_CHECK(index < inputs_.size(), "input index out of range");
  const Use use{this, static_cast<int>(index)};
  if (inputs_[index] == value) return;
  if (inputs_[index]) RemoveUse(inputs_[index]->uses_, use);
  inputs_[index] = value;
  if (value) value->uses_.push_back(use);
}

void Node::AddInput(Value* value) {
  inputs_.push_back(nullptr);
  SetInput(inputs_.size() - 1, value);
}

void Node::InsertInput(size_t index, Value* value) {
  AddInput(nullptr);
  for (size_t i = inputs_.size() - 1; i > index; --i) SetInput(i, inputs_[i - 1]);
  SetInput(index, value);
}

void Node::RemoveInput(size_t index) {
  for (size_t i = index; i + 1 < inputs_.size(); ++i) SetInput(i, inputs_[i + 1]);
  SetInput(inputs_.size() - 1, nullptr);
  inputs_.pop_back();
}

Graph::~Graph() = default;

std::vector<Node*> Graph::Nodes() const {
  std::vector<Node*> nodes;
  nodes.reserve(nodes_.size());
  for (const auto& node : nodes_) nodes.push_back(node.get());
  return nodes;
}

std::vector<Value*> Graph::Values() const {
  std::vector<Value*> values;
  values.reserve(values_.size());
  for (const auto& value : values_) values.push_back(value.get());
  return values;
}

Value* Graph::FindValue(std::string_view name) const {
  auto it = value_by_name_.find(name);
  return it == value_by_name_.end() ? nullptr : it->second;
}

Node* Graph::FindNode(std::string_view name) const {
  auto it = node_by_name_.find(name);
  return it == node_by_name_.end() ? nullptr : it->second;
}

Value* Graph::NewValue(std::string name) {
  if (name.empty()) {
    do {
      name = StrCat("v", next_name_++);
    } while (value_by_name_.count(name) != 0);
  } else {
    name = MakeUnique(value_by_name_, std::move(name));
  }
  values_.push_back(std::make_unique<Value>());
  Value* value = values_.back().get();
  value->position_ = std::prev(values_.end());
  value->name_ = std::move(name);
  value_by_name_[value->name_] = value;
  return value;
}

void Graph::EraseValue(Value* value) {
  CAIRN_CHECK(value->num_uses() == 0, "a value in use cannot be erased");
  value_by_name_.erase(value->name_);
  values_.erase(value->position_);
}

Value* Graph::AddInput(std::string name, TensorType type) {
  Value* value = NewValue(std::move(name));
  value->type_ = std::move(type);
  value->is_input_ = true;
  value->output_index_ = static_cast<int>(inputs_.size());
  inputs_.push_back(value);
  return value;
}

Value* Graph::AddConstant(std::string name, Tensor tensor) {
  CAIRN_CHECK(tensor.defined(), "a constant needs a tensor");
  Value* value = NewValue(std::move(name));
  value->type_ = TensorType(tensor.dtype(), Dims(tensor.shape().begin(), tensor.shape().end()));
  value->constant_ = std::move(tensor);
  return value;
}

Node* Graph::AddNode(std::string op, std::string name, std::vector<Value*> inputs, int num_outputs,
                     Node* before, const std::vector<std::string>& output_names) {
  auto owned = std::unique_ptr<Node>(new Node());
  Node* node = owned.get();
  if (name.empty()) {
    do {
      name = StrCat(op, "_", next_name_++);
    } while (node_by_name_.count(name) != 0);
  } else {
    name = MakeUnique(node_by_name_, std::move(name));
  }
  node->name_ = std::move(name);
  node->op_ = std::move(op);
  node->graph_ = this;
  node->position_ = nodes_.insert(before ? before->position_ : nodes_.end(), std::move(owned));
  node_set_.insert(node);
  node_by_name_[node->name_] = node;
  for (Value* input : inputs) node->AddInput(input);
  for (int i = 0; i < num_outputs; ++i) {
    const auto index = static_cast<size_t>(i);
    Value* value = NewValue(index < output_names.size() ? output_names[index] : std::string());
    value->producer_ = node;
    value->output_index_ = i;
    node->outputs_.push_back(value);
  }
  return node;
}

void Graph::AddOutput(Value* value, std::string name) {
  output_names_.push_back(name.empty() ? value->name_ : std::move(name));
  outputs_.push_back(value);
  ++value->num_output_slots_;
}

void Graph::SetOutput(size_t index, Value* value) {
  --outputs_[index]->num_output_slots_;
  outputs_[index] = value;
  ++value->num_output_slots_;
}

void Graph::ReplaceAllUses(Value* from, Value* to) {
  if (from == to) return;
  ReplaceUsesIf(from, to, [](const Use&) { return true; });
  for (size_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i] == from) SetOutput(i, to);
  }
}

void Graph::ReplaceUsesIf(Value* from, Value* to, const std::function<bool(const Use&)>& filter) {
  const std::vector<Use> uses = from->uses_;
  for (const Use& use : uses) {
    if (filter(use)) use.node->SetInput(static_cast<size_t>(use.input), to);
  }
}

void Graph::EraseNode(Node* node) {
  for (size_t i = 0; i < node->inputs_.size(); ++i) node->SetInput(i, nullptr);
  for (Value* output : node->outputs_) {
    if (output) EraseValue(output);
  }
  node_by_name_.erase(node->name_);
  node_set_.erase(node);
  nodes_.erase(node->position_);
}

void Graph::EraseInput(size_t index) {
  Value* value = inputs_[index];
  inputs_.erase(inputs_.begin() + static_cast<std::ptrdiff_t>(index));
  for (size_t i = index; i < inputs_.size(); ++i) inputs_[i]->output_index_ = static_cast<int>(i);
  EraseValue(value);
}

void Graph::EraseOutput(Node* node, size_t index) {
  if (node->outputs_[index] == nullptr) return;
  EraseValue(node->outputs_[index]);
  node->outputs_[index] = nullptr;
  while (node->outputs_.size() > 1 && node->outputs_.back() == nullptr) node->outputs_.pop_back();
}

void Graph::Rename(Node* node, std::string name) {
  if (node->name_ == name) return;
  node_by_name_.erase(node->name_);
  node->name_ = MakeUnique(node_by_name_, std::move(name));
  node_by_name_[node->name_] = node;
}

void Graph::Rename(Value* value, std::string name) {
  if (value->name_ == name) return;
  value_by_name_.erase(value->name_);
  value->name_ = MakeUnique(value_by_name_, std::move(name));
  value_by_name_[value->name_] = value;
}

int Graph::EraseUnusedConstants() {
  int erased = 0;
  for (Value* value : Values()) {
    if (value->is_constant() && value->num_uses() == 0) {
      EraseValue(value);
      ++erased;
    }
  }
  return erased;
}

Status Graph::Sort() {
  std::unordered_map<const Node*, int> missing;
  for (const auto& node : nodes_) {
    int count = 0;
    for (const Value* input : node->inputs_) count += input && input->producer_ ? 1 : 0;
    missing[node.get()] = count;
  }
  // Repeatedly takes the first ready node in the present order: a node whose last producer comes
  // later is appended right after that producer.
  std::list<std::unique_ptr<Node>> sorted;
  std::vector<Node*> ready;
  const std::vector<Node*> order = Nodes();
  std::unordered_map<const Node*, bool> placed;
  for (Node* first : order) {
    if (missing[first] != 0 || placed[first]) continue;
    ready.push_back(first);
    while (!ready.empty()) {
      Node* node = ready.back();
      ready.pop_back();
      if (placed[node]) continue;
      placed[node] = true;
      sorted.splice(sorted.end(), nodes_, node->position_);
      std::vector<Node*> released;
      for (const Value* output : node->outputs_) {
        if (!output) continue;
        for (const Use& use : output->uses_) {
          if (--missing[use.node] == 0) released.push_back(use.node);
        }
      }
      ready.insert(ready.end(), released.rbegin(), released.rend());
    }
  }
  if (!nodes_.empty()) {
    std::vector<std::string> names;
    for (const auto& node : nodes_) {
      if (names.size() < 8) names.push_back(StrCat("'", node->name_, "'"));
    }
    const size_t count = nodes_.size();
    sorted.splice(sorted.end(), nodes_);
    nodes_ = std::move(sorted);
    return Status(Code::kInvalidModel,
                  StrCat("graph '", name_, "' has a cycle through or before ", count, " node(s): ",
                         StrJoin(names, ", "), count > names.size() ? ", ..." : ""));
  }
  nodes_ = std::move(sorted);
  return OkStatus();
}

void Graph::MoveBefore(Node* node, Node* before) {
  nodes_.splice(before ? before->position_ : nodes_.end(), nodes_, node->position_);
}

std::string Graph::NewSymbol() { return StrCat("?", next_symbol_++); }

void Graph::ReserveSymbol(std::string_view symbol) {
  if (!symbol.starts_with('?')) return;
  int64_t number = 0;
  const char* end = symbol.data() + symbol.size();
  const auto [stop, error] = std::from_chars(symbol.data() + 1, end, number);
  if (error != std::errc() || stop != end || number < 0 || number == INT64_MAX) return;
  next_symbol_ = std::max(next_symbol_, number + 1);
}

void Graph::ReserveSymbolsOf(const Graph& other) {
  next_symbol_ = std::max(next_symbol_, other.next_symbol_);
}

namespace {

Attribute CloneAttribute(const Attribute& attribute) {
  if (const auto* region = std::get_if<Region>(&attribute)) return Region((*region)->Clone());
  if (const auto* list = std::get_if<std::vector<Region>>(&attribute)) {
    std::vector<Region> copies;
    for (const Region& region : *list) copies.push_back(Region(region->Clone()));
    return copies;
  }
  return attribute;
}

}  // namespace

std::unique_ptr<Graph> Graph::Clone() const {
  auto copy = std::make_unique<Graph>(name_);
  copy->metadata = metadata;
  copy->next_name_ = next_name_;
  copy->next_symbol_ = next_symbol_;
  std::unordered_map<const Value*, Value*> twin;
  for (const Value* input : inputs_) {
    twin[input] = copy->AddInput(input->name_, input->type_);
    twin[input]->elements_ = input->elements_;
  }
  for (const auto& value : values_) {
    if (!value->is_constant()) continue;
    Value* constant = copy->AddConstant(value->name_, value->constant_);
    constant->type_ = value->type_;
    twin[value.get()] = constant;
  }
  for (const auto& node : nodes_) {
    std::vector<std::string> names;
    for (const Value* output : node->outputs_) names.push_back(output ? output->name_ : "");
    Node* other = copy->AddNode(node->op_, node->name_, {}, static_cast<int>(names.size()), nullptr,
                                names);
    other->origins_ = node->origins_;
    for (const auto& [name, attribute] : node->attributes_) {
      other->attributes_[name] = CloneAttribute(attribute);
    }
    for (size_t i = 0; i < node->outputs_.size(); ++i) {
      const Value* output = node->outputs_[i];
      if (!output) {
        copy->EraseValue(other->outputs_[i]);
        other->outputs_[i] = nullptr;
        continue;
      }
      other->outputs_[i]->type_ = output->type_;
      other->outputs_[i]->elements_ = output->elements_;
      twin[output] = other->outputs_[i];
    }
  }
  auto other = copy->nodes_.begin();
  for (const auto& node : nodes_) {
    for (const Value* input : node->inputs_) (*other)->AddInput(input ? twin.at(input) : nullptr);
    ++other;
  }
  for (size_t i = 0; i < outputs_.size(); ++i) {
    copy->AddOutput(twin.at(outputs_[i]), output_names_[i]);
  }
  return copy;
}

}  // namespace cairn
