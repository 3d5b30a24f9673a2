// SPDX-License-Identifier: Apache-2.0
// Graph, node, value: the compiler's representation of a network.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/status.h"
#include "ir/attribute.h"
#include "ir/tensor.h"
#include "ir/type.h"

namespace cairn {

class Node;
class Graph;

/// One place where a value is read.
struct Use {
  Node* node = nullptr;
  int input = 0;  ///< Index into node->inputs().
  friend bool operator==(const Use&, const Use&) = default;
};

/// A tensor flowing through the graph: produced by a node, a graph input, or a constant.
class Value {
 public:
  const std::string& name() const { return name_; }  ///< Unique in its graph, never empty.
  const TensorType& type() const { return type_; }
  void set_type(TensorType type) { type_ = std::move(type); }

  Node* producer() const { return producer_; }  ///< Null for graph inputs and constants.
  int output_index() const { return output_index_; }
  const std::vector<Use>& uses() const { return uses_; }
  bool is_graph_input() const { return is_input_; }
  bool is_graph_output() const { return num_output_slots_ > 0; }
  /// Readers plus graph-output slots.
  int num_uses() const { return static_cast<int>(uses_.size()) + num_output_slots_; }

  bool is_constant() const { return constant_.defined(); }
  const Tensor& constant() const { return constant_; }

  /// Elements of a small integer tensor as far as they are known symbolically (row-major), e.g. the
  /// result of Shape. Constants do not set it: use KnownElements() of the ops layer to read either.
  const std::optional<Dims>& elements() const { return elements_; }
  void set_elements(std::optional<Dims> elements) { elements_ = std::move(elements); }

 private:
  friend class Graph;
  friend class Node;
  std::string name_;
  TensorType type_;
  Node* producer_ = nullptr;
  int output_index_ = 0;
  bool is_input_ = false;
  int num_output_slots_ = 0;
  std::vector<Use> uses_;
  Tensor constant_;
  std::optional<Dims> elements_;
  std::list<std::unique_ptr<Value>>::iterator position_;
};

/// One operator application.
///
/// Regions see nothing of the enclosing graph: values they capture are trailing inputs of the node
/// and trailing inputs of each region (`num_captures`). A node may carry an *epilogue*: attribute
/// `epilogue`, a region of element-wise operators whose first input is the operator's own first
/// output and whose other inputs are the node's last `num_epilogue_inputs()` inputs; the node's
/// output is then the region's output.
class Node {
 public:
  const std::string& name() const { return name_; }  ///< Unique in its graph, never empty.
  const std::string& op() const { return op_; }      ///< "Conv"; other domains "domain.Type".
  /// Changes the operator; operands, outputs and attributes stay as they are.
  void set_op(std::string op) { op_ = std::move(op); }
  const std::vector<Value*>& inputs() const { return inputs_; }    ///< Null: optional, absent.
  const std::vector<Value*>& outputs() const { return outputs_; }  ///< Null: not wanted.
  Value* input(size_t i) const { return i < inputs_.size() ? inputs_[i] : nullptr; }
  Value* output(size_t i = 0) const { return i < outputs_.size() ? outputs_[i] : nullptr; }
  Graph& graph() const { return *graph_; }

  const Attributes& attributes() const { return attributes_; }
  bool HasAttribute(std::string_view name) const;
  /// The attribute when present with type T, else nullptr.
  template <class T>
  const T* Get(std::string_view name) const {
    auto it = attributes_.find(std::string(name));
    return it == attributes_.end() ? nullptr : std::get_if<T>(&it->second);
  }
  int64_t GetInt(std::string_view name, int64_t fallback) const;
  float GetFloat(std::string_view name, float fallback) const;
  std::string GetString(std::string_view name, std::string_view fallback) const;
  Ints GetInts(std::string_view name, const Ints& fallback = {}) const;
  void Set(std::string name, Attribute value) { attributes_[std::move(name)] = std::move(value); }
  void Remove(std::string_view name) { attributes_.erase(std::string(name)); }

  /// Names of the model's nodes that this node stands for, in graph order.
  const std::vector<std::string>& origins() const { return origins_; }
  void AddOrigins(const std::vector<std::string>& names);

  /// All regions of this node, in attribute order.
  std::vector<Graph*> Regions() const;
  int64_t num_captures() const { return GetInt("num_captures", 0); }
  const Region* epilogue() const { return Get<Region>("epilogue"); }
  int64_t num_epilogue_inputs() const { return GetInt("num_epilogue_inputs", 0); }
  /// Inputs of the operator itself, without captures and epilogue operands.
  size_t num_formal_inputs() const {
    return inputs_.size() - static_cast<size_t>(num_captures() + num_epilogue_inputs());
  }

  void SetInput(size_t index, Value* value);
  void AddInput(Value* value);
  void InsertInput(size_t index, Value* value);
  void RemoveInput(size_t index);

 private:
  friend class Graph;
  Node() = default;
  std::string name_;
  std::string op_;
  Graph* graph_ = nullptr;
  std::vector<Value*> inputs_;
  std::vector<Value*> outputs_;
  Attributes attributes_;
  std::vector<std::string> origins_;
  std::list<std::unique_ptr<Node>>::iterator position_;
};

/// Owns nodes and values. Nodes are kept in a topological order that is stable under edits: a new
/// node is placed by the caller, Sort() repairs order after free rewiring.
class Graph {
 public:
  explicit Graph(std::string name = "main") : name_(std::move(name)) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph();

  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  const std::vector<Value*>& inputs() const { return inputs_; }
  const std::vector<Value*>& outputs() const { return outputs_; }
  size_t num_nodes() const { return nodes_.size(); }
  /// All nodes in order. A copy of pointers: safe to edit the graph while walking (skip erased ones
  /// yourself: Contains()).
  std::vector<Node*> Nodes() const;
  /// All values in creation order.
  std::vector<Value*> Values() const;
  bool Contains(const Node* node) const { return node_set_.count(node) != 0; }
  Value* FindValue(std::string_view name) const;
  Node* FindNode(std::string_view name) const;

  /// `name` is made unique by a suffix when taken; empty gives a generated one.
  Value* AddInput(std::string name, TensorType type);
  Value* AddConstant(std::string name, Tensor tensor);
  /// Creates the node with `num_outputs` values of unknown type, placed before `before` or last.
  /// `output_names` name the first outputs (made unique when taken).
  Node* AddNode(std::string op, std::string name, std::vector<Value*> inputs, int num_outputs = 1,
                Node* before = nullptr, const std::vector<std::string>& output_names = {});
  /// Appends a graph output. A value may occupy several outputs. `name`: the model's name of it,
  /// kept apart from the value's own.
  void AddOutput(Value* value, std::string name = {});
  void SetOutput(size_t index, Value* value);
  const std::string& output_name(size_t index) const { return output_names_[index]; }

  /// Redirects every reader of `from`, graph outputs included, to `to`.
  void ReplaceAllUses(Value* from, Value* to);
  /// As above for readers for which `filter` holds.
  void ReplaceUsesIf(Value* from, Value* to, const std::function<bool(const Use&)>& filter);
  /// The node's outputs must have no uses.
  void EraseNode(Node* node);
  /// Drops input `index`; it must have no uses.
  void EraseInput(size_t index);
  /// Drops output `index` of `node` (no longer wanted); it must have no uses.
  void EraseOutput(Node* node, size_t index);
  /// Gives the node or value another name, made unique by a suffix when taken.
  void Rename(Node* node, std::string name);
  void Rename(Value* value, std::string name);
  /// Removes constants without uses. Returns how many.
  int EraseUnusedConstants();

  /// Stable topological order. Fails on a cycle, naming its nodes.
  Status Sort();
  /// Moves `node` directly before `before` (last when null).
  void MoveBefore(Node* node, Node* before);

  /// Deep copy, regions included; constants share storage.
  std::unique_ptr<Graph> Clone() const;
  /// A symbol name not yet given out by this call, for dims unknown until run time ("?0", "?1").
  std::string NewSymbol();
  /// Makes NewSymbol() skip `symbol` ("?7") and all before it; other names are ignored.
  void ReserveSymbol(std::string_view symbol);
  /// Makes NewSymbol() skip what `other` has given out.
  void ReserveSymbolsOf(const Graph& other);

  /// Symbols' model-wide ranges and metadata of the model (producer, custom metadata), for reports.
  std::map<std::string, std::string> metadata;

 private:
  friend class Node;
  Value* NewValue(std::string name);
  void EraseValue(Value* value);

  std::string name_;
  std::vector<Value*> inputs_;
  std::vector<Value*> outputs_;
  std::vector<std::string> output_names_;
  std::list<std::unique_ptr<Node>> nodes_;
  std::unordered_set<const Node*> node_set_;
  std::list<std::unique_ptr<Value>> values_;
  std::map<std::string, Value*, std::less<>> value_by_name_;
  std::map<std::string, Node*, std::less<>> node_by_name_;
  int64_t next_name_ = 0;
  int64_t next_symbol_ = 0;
};

}  // namespace cairn
