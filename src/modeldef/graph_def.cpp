// SPDX-License-Identifier: Apache-2.0
// Writes nodes, edges and attributes of a graph.
#include "modeldef/graph_def.h"

#include <algorithm>
#include <map>
#include <set>

#include "modeldef/attributes.h"

namespace cairn::modeldef {
namespace {

using List = ge::AttrDef::ListValue;

class GraphWriter {
 public:
  GraphWriter(const Graph& graph, const ConstantWriter& constants, const NodeWriter& nodes,
              ge::GraphDef& out)
      : graph_(graph), constants_(constants), nodes_(nodes), out_(out) {}

  void Write() {
    out_.set_name(graph_.name());
    for (size_t i = 0; i < graph_.inputs().size(); ++i) WriteData(*graph_.inputs()[i], i);
    for (const Value* value : graph_.Values()) {
      if (value->is_constant() && value->num_uses() > 0) WriteConstant(*value);
    }
    for (const Node* node : graph_.Nodes()) WriteNode(*node);
    WriteNetOutput();
  }

 private:
  // Where a value comes from in the written graph.
  struct Source {
    std::string node;
    int64_t index = 0;
  };

  ge::OpDef& AddOp(const std::string& name, const std::string& type) {
    ge::OpDef& op = *out_.add_op();
    // Values and nodes have names of their own here; the format has one name space.
    std::string unique = name;
    for (int i = 1; !names_.insert(unique).second; ++i) unique = StrCat(name, "_", i);
    op.set_name(unique);
    op.set_type(type);
    op.set_id(out_.op_size() - 1);
    return op;
  }

  void Produce(const Value& value, const ge::OpDef& op, int64_t index) {
    sources_[&value] = {op.name(), index};
  }

  void WriteData(const Value& value, size_t index) {
    ge::OpDef& op = AddOp(value.name(), "Data");
    SetInt(*op.mutable_attr(), "index", static_cast<int64_t>(index));
    FillDescriptor(value.name(), value.type(), *op.add_output_desc());
    out_.add_input(StrCat(op.name(), ":0"));
    Produce(value, op, 0);
  }

  void WriteConstant(const Value& value) {
    ge::OpDef& op = AddOp(value.name(), "Const");
    FillDescriptor(value.name(), value.type(), *op.add_output_desc());
    ge::TensorDef& tensor = *(*op.mutable_attr())["value"].mutable_t();
    *tensor.mutable_desc() = op.output_desc(0);
    constants_(value.constant(), tensor);
    Produce(value, op, 0);
  }

  // One input slot; an absent operand has an empty edge and an empty descriptor.
  void WriteInput(const Value* value, ge::OpDef& op) {
    ge::TensorDescriptor& descriptor = *op.add_input_desc();
    op.add_is_input_const(value != nullptr && value->is_constant());
    if (value == nullptr) {
      op.add_input("");
      return;
    }
    const Source& source = sources_.at(value);
    op.add_input(StrCat(source.node, ":", source.index));
    op.add_src_name(source.node);
    op.add_src_index(source.index);
    FillDescriptor(value->name(), value->type(), descriptor);
  }

  void WriteNode(const Node& node) {
    ge::OpDef& op = AddOp(node.name(), node.op());
    for (const Value* value : node.inputs()) WriteInput(value, op);
    for (size_t i = 0; i < node.outputs().size(); ++i) {
      ge::TensorDescriptor& descriptor = *op.add_output_desc();
      const Value* value = node.outputs()[i];
      if (value == nullptr) continue;
      FillDescriptor(value->name(), value->type(), descriptor);
      Produce(*value, op, static_cast<int64_t>(i));
    }
    for (const auto& [name, attribute] : node.attributes()) {
      WriteAttribute(attribute, (*op.mutable_attr())[name]);
    }
    SetTexts(*op.mutable_attr(), "_datadump_original_op_names", node.origins());
    nodes_(node, op);
  }

  void WriteNetOutput() {
    ge::OpDef& op = AddOp("Node_Output", "NetOutput");
    for (const Value* value : graph_.outputs()) {
      WriteInput(value, op);
      out_.add_output(op.input(op.input_size() - 1));
    }
  }

  void WriteRegion(const Graph& region, ge::GraphDef& out) {
    const ConstantWriter in_line = [](const Tensor& tensor, ge::TensorDef& def) {
      FillTensor(tensor, def);
    };
    WriteGraph(
        region, in_line, [](const Node&, ge::OpDef&) {}, out);
  }

  void WriteAttribute(const Attribute& attribute, ge::AttrDef& out) {
    std::visit([&](const auto& value) { Set(value, out); }, attribute);
  }
  void Set(int64_t value, ge::AttrDef& out) { out.set_i(value); }
  void Set(float value, ge::AttrDef& out) { out.set_f(value); }
  void Set(const std::string& value, ge::AttrDef& out) { out.set_s(value); }
  void Set(const Ints& values, ge::AttrDef& out) {
    out.mutable_list()->mutable_i()->Assign(values.begin(), values.end());
    out.mutable_list()->set_val_type(List::VT_LIST_INT);
  }
  void Set(const Floats& values, ge::AttrDef& out) {
    out.mutable_list()->mutable_f()->Assign(values.begin(), values.end());
    out.mutable_list()->set_val_type(List::VT_LIST_FLOAT);
  }
  void Set(const Strings& values, ge::AttrDef& out) {
    out.mutable_list()->mutable_s()->Assign(values.begin(), values.end());
    out.mutable_list()->set_val_type(List::VT_LIST_STRING);
  }
  void Set(const Tensor& value, ge::AttrDef& out) { FillTensor(value, *out.mutable_t()); }
  void Set(const Region& value, ge::AttrDef& out) { WriteRegion(*value, *out.mutable_g()); }
  void Set(const std::vector<Region>& values, ge::AttrDef& out) {
    for (const Region& value : values) WriteRegion(*value, *out.mutable_list()->add_g());
    out.mutable_list()->set_val_type(List::VT_LIST_GRAPH);
  }
  void Set(const TensorType& value, ge::AttrDef& out) { out.set_dt(ProtoDataType(value.dtype)); }

  const Graph& graph_;
  const ConstantWriter& constants_;
  const NodeWriter& nodes_;
  ge::GraphDef& out_;
  std::set<std::string> names_;
  std::map<const Value*, Source> sources_;
};

}  // namespace

void WriteGraph(const Graph& graph, const ConstantWriter& constants, const NodeWriter& nodes,
                ge::GraphDef& out) {
  GraphWriter(graph, constants, nodes, out).Write();
}

}  // namespace cairn::modeldef
