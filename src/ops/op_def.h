// SPDX-License-Identifier: Apache-2.0
// OpDef: everything that is true of an operator on any hardware: schema, inference, semantics,
// docs.
#pragma once

#include <deque>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "ir/graph.h"

namespace cairn {

/// What a type-and-shape function sees of a node and where it leaves its findings.
///
/// Types of inputs are those of the values; an unknown rank or dimension must be tolerated: leave
/// the corresponding output unknown (no dims) or give it a NewSymbol(). Contradictions between
/// known facts are errors that name both sides.
class InferContext {
 public:
  explicit InferContext(Node& node) : node_(node) {}

  const Node& node() const { return node_; }
  /// For making defaulted attributes explicit.
  Node& mutable_node() { return node_; }
  size_t num_inputs() const { return node_.num_formal_inputs(); }
  /// False for optional inputs that are absent.
  bool has_input(size_t i) const { return i < num_inputs() && node_.input(i) != nullptr; }
  /// The type of a present input.
  const TensorType& type(size_t i) const { return node_.input(i)->type(); }
  /// Dims of a present input when its rank is known, else nullptr.
  const Dims* dims(size_t i) const {
    return has_input(i) && type(i).dims ? &*type(i).dims : nullptr;
  }
  /// The constant of a present input, else nullptr.
  const Tensor* constant(size_t i) const {
    return has_input(i) && node_.input(i)->is_constant() ? &node_.input(i)->constant() : nullptr;
  }
  /// Elements of an integer input as symbolic values (constants and propagated values alike).
  std::optional<Dims> Elements(size_t i) const;
  /// Elements of an integer input when all are known numbers.
  std::optional<std::vector<int64_t>> Ints(size_t i) const;

  bool wants_output(size_t i) const { return node_.output(i) != nullptr; }
  /// Sets the type of an output; does nothing when that output is not wanted.
  void SetOutput(size_t i, TensorType type);
  /// Records known elements of an output (small integer tensors; more than 4096 are dropped).
  void SetElements(size_t i, Dims elements);
  /// A dimension that nothing is known about.
  Dim NewSymbol() { return Dim::Symbol(node_.graph().NewSymbol()); }

  /// Infers a region whose inputs get `types`; returns the types of its outputs.
  Result<std::vector<TensorType>> InferRegion(Graph& region, const std::vector<TensorType>& types);

 private:
  Node& node_;
};

/// Fills the outputs' types. See InferContext.
using InferFn = Status (*)(InferContext&);

/// What a reference function sees: concrete tensors in, tensors out.
class EvalContext {
 public:
  using RegionFn = std::function<Result<std::vector<Tensor>>(const Graph&, std::vector<Tensor>)>;
  EvalContext(const Node& node, std::vector<Tensor> inputs, RegionFn run_region)
      : node_(node),
        inputs_(std::move(inputs)),
        outputs_(node.outputs().size()),
        run_region_(std::move(run_region)) {}

  const Node& node() const { return node_; }
  size_t num_inputs() const { return inputs_.size(); }
  bool has_input(size_t i) const { return i < inputs_.size() && inputs_[i].defined(); }
  const Tensor& input(size_t i) const { return inputs_[i]; }
  /// All formal inputs; an absent optional one is an undefined tensor.
  const std::vector<Tensor>& inputs() const { return inputs_; }
  bool wants_output(size_t i) const { return i < outputs_.size() && node_.output(i) != nullptr; }
  size_t num_outputs() const { return node_.outputs().size(); }
  void SetOutput(size_t i, Tensor tensor) {
    if (i < outputs_.size()) outputs_[i] = std::move(tensor);
  }
  /// Allocates output `i` and returns it; a scratch tensor when the output is not wanted. The
  /// pointer stays valid while other outputs are allocated.
  Result<Tensor*> NewOutput(size_t i, ElementType dtype, Shape shape);
  std::vector<Tensor> TakeOutputs() {
    const auto begin = std::make_move_iterator(outputs_.begin());
    return {begin, begin + static_cast<std::ptrdiff_t>(node_.outputs().size())};
  }

  /// Runs a region of the node (captures are appended to `inputs` by the caller of this context).
  Result<std::vector<Tensor>> RunRegion(const Graph& region, std::vector<Tensor> inputs) {
    return run_region_(region, std::move(inputs));
  }

 private:
  const Node& node_;
  std::vector<Tensor> inputs_;
  std::deque<Tensor> outputs_;
  RegionFn run_region_;
};

/// Reference semantics: plain loops, every dtype the operator allows, computed in double (integers
/// exactly) and rounded once.
using EvalFn = Status (*)(EvalContext&);

enum class AttrKind : uint8_t {
  kInt,
  kFloat,
  kString,
  kInts,
  kFloats,
  kStrings,
  kTensor,
  kRegion,
  kRegions,
  kType
};

struct InputDef {
  std::string name;
  bool optional = false;
  bool variadic = false;  ///< Last input only: zero or more.
};

struct AttrDef {
  std::string name;
  AttrKind kind = AttrKind::kInt;
  std::optional<Attribute> default_value;  ///< Absent: required unless `optional`.
  bool optional = false;
  std::string doc;
};

/// Facts about an operator that passes and planners use.
enum OpTrait : uint32_t {
  kPure = 1u << 0,          ///< Output depends on inputs and attributes only (CSE, folding, DCE).
  kElementwise = 1u << 1,   ///< Numpy broadcasting, one output; each element from its own operands.
  kCommutative = 1u << 2,   ///< Inputs 0 and 1 may be swapped.
  kDataMovement = 1u << 3,  ///< Output elements are copies of input elements.
  kShapeOnly = 1u << 4,     ///< Output does not depend on the elements of the inputs (Shape, Size).
  kAnyDtype = 1u << 5,      ///< Takes strings or complex numbers (as movement ops do).
  kAnyKind = 1u << 6,       ///< Takes sequences and optionals too.
};

/// Operator definition; built with chained setters in src/ops/<family>/<op>.cpp.
class OpDef {
 public:
  explicit OpDef(std::string name) : name_(std::move(name)) {}
  OpDef& Input(std::string name) {
    inputs_.push_back({std::move(name)});
    return *this;
  }
  OpDef& OptionalInput(std::string name) {
    inputs_.push_back({std::move(name), true, false});
    return *this;
  }
  OpDef& VariadicInput(std::string name) {
    inputs_.push_back({std::move(name), true, true});
    return *this;
  }
  OpDef& Output(std::string name) {
    outputs_.push_back(std::move(name));
    return *this;
  }
  OpDef& VariadicOutput(std::string name) {
    outputs_.push_back(std::move(name));
    variadic_output_ = true;
    return *this;
  }
  /// A required attribute.
  OpDef& Attr(std::string name, AttrKind kind, std::string doc = {}) {
    attrs_.push_back({std::move(name), kind, std::nullopt, false, std::move(doc)});
    return *this;
  }
  OpDef& OptionalAttr(std::string name, AttrKind kind, std::string doc = {}) {
    attrs_.push_back({std::move(name), kind, std::nullopt, true, std::move(doc)});
    return *this;
  }
  OpDef& DefaultAttr(std::string name, AttrKind kind, Attribute value, std::string doc = {}) {
    attrs_.push_back({std::move(name), kind, std::move(value), false, std::move(doc)});
    return *this;
  }
  OpDef& Doc(std::string text) {
    doc_ = std::move(text);
    return *this;
  }
  OpDef& Infer(InferFn fn) {
    infer_ = fn;
    return *this;
  }
  OpDef& Reference(EvalFn fn) {
    reference_ = fn;
    return *this;
  }
  OpDef& Traits(uint32_t traits) {
    traits_ = traits;
    return *this;
  }

  const std::string& name() const { return name_; }
  const std::string& doc() const { return doc_; }
  const std::vector<InputDef>& inputs() const { return inputs_; }
  const std::vector<std::string>& outputs() const { return outputs_; }
  bool variadic_output() const { return variadic_output_; }
  const std::vector<AttrDef>& attrs() const { return attrs_; }
  InferFn infer() const { return infer_; }
  EvalFn reference() const { return reference_; }
  bool Has(OpTrait trait) const { return (traits_ & trait) != 0; }

 private:
  std::string name_, doc_;
  std::vector<InputDef> inputs_;
  std::vector<std::string> outputs_;
  bool variadic_output_ = false;
  std::vector<AttrDef> attrs_;
  InferFn infer_ = nullptr;
  EvalFn reference_ = nullptr;
  uint32_t traits_ = kPure;
};

/// The definition of `op` (names as in Node::op()), or nullptr. See op_list.def.
const OpDef* FindOp(std::string_view op);
/// All definitions, sorted by name.
const std::vector<const OpDef*>& AllOps();
/// Names of all operators, sorted, for suggestions.
const std::vector<std::string>& AllOpNames();

/// Symbolic elements of an integer value: its constant, or what inference recorded.
std::optional<Dims> KnownElements(const Value& value);

/// Runs the node's type function, checks operand counts and attributes against the definition, and
/// applies an epilogue's type. Errors carry the node's name and operator.
Status InferNode(Node& node);
/// InferNode over the graph in order, regions through their nodes. `keep_going`: false.
Status InferGraph(Graph& graph);

}  // namespace cairn
