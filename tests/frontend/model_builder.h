// SPDX-License-Identifier: Apache-2.0
// Short ways to write ONNX models in tests.
#pragma once

#include <string>
#include <vector>

#include "frontend/onnx/cairn_onnx.pb.h"
#include "frontend/onnx/importer.h"

namespace cairn::onnx {

/// A model under construction; `proto` may be changed freely.
class ModelBuilder {
 public:
  explicit ModelBuilder(int64_t opset = 17) {
    proto.set_ir_version(8);
    auto* id = proto.add_opset_import();
    id->set_domain("");
    id->set_version(opset);
    proto.mutable_graph()->set_name("main");
  }

  GraphProto& graph() { return *proto.mutable_graph(); }

  static void SetType(ValueInfoProto& info, const std::string& name,
                      const std::vector<std::string>& dims, int32_t dtype = 1) {
    info.set_name(name);
    auto& type = *info.mutable_type()->mutable_tensor_type();
    type.set_elem_type(dtype);
    type.mutable_shape();
    for (const std::string& dim : dims) {
      auto* entry = type.mutable_shape()->add_dim();
      if (!dim.empty() && dim.find_first_not_of("0123456789") == std::string::npos) {
        entry->set_dim_value(std::stoll(dim));
      } else if (!dim.empty()) {
        entry->set_dim_param(dim);
      }
    }
  }
  ModelBuilder& Input(const std::string& name, const std::vector<std::string>& dims,
                      int32_t dtype = 1) {
    SetType(*graph().add_input(), name, dims, dtype);
    return *this;
  }
  ModelBuilder& Output(const std::string& name) {
    graph().add_output()->set_name(name);
    return *this;
  }
  ModelBuilder& Output(const std::string& name, const std::vector<std::string>& dims,
                       int32_t dtype = 1) {
    SetType(*graph().add_output(), name, dims, dtype);
    return *this;
  }
  /// An initialiser of f32 or i64 values.
  TensorProto& Floats(const std::string& name, const std::vector<int64_t>& dims,
                      const std::vector<float>& values) {
    TensorProto& tensor = *graph().add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(1);
    for (const int64_t dim : dims) tensor.add_dims(dim);
    for (const float value : values) tensor.add_float_data(value);
    return tensor;
  }
  TensorProto& Ints(const std::string& name, const std::vector<int64_t>& values) {
    TensorProto& tensor = *graph().add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(7);
    tensor.add_dims(static_cast<int64_t>(values.size()));
    for (const int64_t value : values) tensor.add_int64_data(value);
    return tensor;
  }
  static NodeProto& Fill(NodeProto& node, const std::string& op,
                         const std::vector<std::string>& inputs,
                         const std::vector<std::string>& outputs, const std::string& name = {}) {
    node.set_op_type(op);
    if (!name.empty()) node.set_name(name);
    for (const std::string& input : inputs) node.add_input(input);
    for (const std::string& output : outputs) node.add_output(output);
    return node;
  }
  NodeProto& Node(const std::string& op, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs, const std::string& name = {}) {
    return Fill(*graph().add_node(), op, inputs, outputs, name);
  }
  static void Attr(NodeProto& node, const std::string& name, int64_t value) {
    auto* attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(2);
    attribute->set_i(value);
  }
  static void Attr(NodeProto& node, const std::string& name, const std::vector<int64_t>& values) {
    auto* attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(7);
    for (const int64_t value : values) attribute->add_ints(value);
  }
  static void Attr(NodeProto& node, const std::string& name, float value) {
    auto* attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(1);
    attribute->set_f(value);
  }
  static GraphProto& Region(NodeProto& node, const std::string& name) {
    auto* attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(5);
    return *attribute->mutable_g();
  }

  std::string Serialize() const { return proto.SerializeAsString(); }

  Result<ImportedModel> Import(const ImportOptions& options = {},
                               std::vector<UnsupportedNode>* unsupported = nullptr,
                               const std::string& folder = {}) const {
    const std::string bytes = Serialize();
    return ImportOnnx(std::as_bytes(std::span(bytes.data(), bytes.size())), folder, options,
                      unsupported);
  }
  /// The error message of the import; "" when it succeeds.
  std::string ImportError(const ImportOptions& options = {}, const std::string& folder = {}) const {
    auto model = Import(options, nullptr, folder);
    return model.ok() ? "" : model.status().message();
  }

  ModelProto proto;
};

}  // namespace cairn::onnx
