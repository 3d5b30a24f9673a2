// SPDX-License-Identifier: Apache-2.0
// NodeImport: one ONNX node on its way into the graph, as a converter sees it.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "ir/graph.h"
#include "ops/op_def.h"

namespace cairn::onnx {

/// Inputs are resolved, attributes converted, regions imported. A converter reads the node in the
/// terms of its operator set and emits nodes in the version-less terms of `ops`; types are inferred
/// as nodes are emitted, so ranks and constants can be asked for.
class NodeImport {
 public:
  NodeImport(Graph& graph, std::string name, std::string op_type, int64_t opset,
             std::vector<Value*> inputs, std::vector<std::string> output_names)
      : attributes(),
        graph_(graph),
        name_(std::move(name)),
        op_type_(std::move(op_type)),
        opset_(opset),
        inputs_(std::move(inputs)),
        output_names_(std::move(output_names)),
        outputs_(output_names_.size()) {}

  /// What the model gives; a converter may change them before it passes them on.
  Attributes attributes;
  /// Outer values that the regions among the attributes read, in the order of their trailing
  /// inputs.
  std::vector<Value*> captures;

  const std::string& name() const { return name_; }
  const std::string& op_type() const { return op_type_; }
  int64_t opset() const { return opset_; }
  Graph& graph() { return graph_; }
  const std::vector<Value*>& inputs() const { return inputs_; }
  size_t num_inputs() const { return inputs_.size(); }
  Value* input(size_t i) const { return i < inputs_.size() ? inputs_[i] : nullptr; }
  size_t num_outputs() const { return output_names_.size(); }
  /// The name that output `i` gets; "" when it is not wanted.
  const std::string& output_name(size_t i) const { return output_names_[i]; }
  bool wants_output(size_t i) const {
    return i < output_names_.size() && !output_names_[i].empty();
  }
  /// Values bound to the outputs so far.
  const std::vector<Value*>& outputs() const { return outputs_; }

  bool Has(const std::string& attribute) const { return attributes.count(attribute) != 0; }
  /// The attribute, or `fallback` when absent; an attribute of another kind is an error.
  Result<int64_t> Int(const std::string& attribute, int64_t fallback) const;
  Result<float> Float(const std::string& attribute, float fallback) const;
  Result<std::string> String(const std::string& attribute, std::string fallback) const;
  Result<std::vector<int64_t>> IntList(const std::string& attribute) const;
  /// Removes the attribute and returns it as an i64[n] constant; null when absent.
  Result<Value*> TakeIntsAsConstant(const std::string& attribute);

  Value* Constant(Tensor tensor);
  Value* IntConstant(std::vector<int64_t> values);  ///< i64[n]

  /// Emits a node of one output that serves this node. Types are inferred.
  Result<Value*> Emit(const std::string& op, std::vector<Value*> inputs, Attributes attrs = {});
  /// As Emit, for a node of `count` outputs.
  Result<std::vector<Value*>> EmitAll(const std::string& op, std::vector<Value*> inputs,
                                      Attributes attrs, int count);
  /// Emits the node that produces all outputs (the model's names), with `captures` appended.
  Status Finish(const std::string& op, std::vector<Value*> inputs, Attributes attrs);
  /// As Finish, for the outputs [first, first + count) of the model's node.
  Status FinishOutputs(const std::string& op, std::vector<Value*> inputs, Attributes attrs,
                       size_t first, size_t count);
  /// Emits the node under the operator's own name with `attributes` as they are.
  Status PassThrough() { return Finish(op_type_, inputs_, attributes); }
  /// Lets output `i` be an existing value.
  void Bind(size_t i, Value* value) {
    if (i < outputs_.size()) outputs_[i] = value;
  }

 private:
  void AddOrigin(Node* node) { node->AddOrigins({name_}); }

  Graph& graph_;
  std::string name_;
  std::string op_type_;
  int64_t opset_;
  std::vector<Value*> inputs_;
  std::vector<std::string> output_names_;
  std::vector<Value*> outputs_;
};

/// Translates one node. kUnsupported: valid, but nothing we can express; the message is the reason.
using Converter = Status (*)(NodeImport&);

}  // namespace cairn::onnx
