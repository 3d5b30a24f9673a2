// SPDX-License-Identifier: Apache-2.0
// Translates the operators of the original into ours.
#include "compiler/single_op.h"

#include <algorithm>

#include "executable/om_format.h"
#include "ops/op_def.h"
#include "passes/precision/policy.h"
#include "passes/rewrite.h"

namespace cairn::compiler {
namespace {

constexpr int32_t kNhwc = 1;

Status Wrong(const SingleOp& op, std::string reason) {
  return Status(Code::kInvalidModel, StrCat("operator '", op.type, "': ", reason));
}

/// The element type of a public number.
ElementType TypeOfNumber(int64_t number) {
  for (int i = 0; i < kNumElementTypes; ++i) {
    const auto type = static_cast<ElementType>(i);
    if (type != ElementType::kUndefined && PublicDataType(type) == number) return type;
  }
  return ElementType::kUndefined;
}

class Builder {
 public:
  explicit Builder(const SingleOp& op)
      : op_(op), graph_(std::make_unique<Graph>(op.type)), attributes_(op.attributes) {}

  Result<std::unique_ptr<Graph>> Run() {
    RETURN_IF_ERROR(AddInputs());
    const std::string type = OperatorNamed(op_.type);
    const OpDef* def = FindOp(type);
    if (!def) return Status(Code::kUnsupported, StrCat("there is no operator '", op_.type, "'"));
    const bool is_image = type == "Conv" || type == "MaxPool" || type == "AveragePool";
    if (is_image) RETURN_IF_ERROR(TranslateWindow());
    if (type == "MatMul") TranslateMatMul();
    if (type == "Softmax" || type == "LogSoftmax") TakeFirstAxis();
    if (type.starts_with("Reduce")) TranslateReduction();
    if (type == "Cast") TranslateCast();
    if (type == "Transpose") RETURN_IF_ERROR(TranslateTranspose());
    RETURN_IF_ERROR(CheckAttributes(*def));
    Node* node = graph_->AddNode(type, op_.name.empty() ? op_.type : op_.name, inputs_,
                                 static_cast<int>(op_.outputs.size()));
    for (const auto& [name, attribute] : attributes_) node->Set(name, attribute);
    RETURN_IF_ERROR(InferNode(*node));
    return AddOutputs(*node);
  }

 private:
  Status AddInputs() {
    for (size_t i = 0; i < op_.inputs.size(); ++i) {
      const SingleOpTensor& tensor = op_.inputs[i];
      const std::string name = StrCat("x", i);
      if (tensor.is_absent) {
        inputs_.push_back(nullptr);
      } else if (tensor.is_constant) {
        ASSIGN_OR_RETURN(const int64_t count, NumElements(tensor.dims));
        if (count != static_cast<int64_t>(tensor.values.size())) {
          return Wrong(op_, StrCat("input ", i, " has ", tensor.values.size(),
                                   " constant values for ", count, " elements"));
        }
        ASSIGN_OR_RETURN(Tensor constant, MakeTensor(tensor.type, tensor.dims, tensor.values));
        inputs_.push_back(graph_->AddConstant(name, std::move(constant)));
      } else {
        Dims dims;
        for (const int64_t dim : tensor.dims) {
          dims.push_back(dim < 0 ? Dim::Symbol(graph_->NewSymbol()) : Dim(dim));
        }
        inputs_.push_back(graph_->AddInput(name, TensorType(tensor.type, std::move(dims))));
      }
    }
    return OkStatus();
  }

  /// The result must be what the description says.
  Result<std::unique_ptr<Graph>> AddOutputs(Node& node) {
    for (size_t i = 0; i < op_.outputs.size(); ++i) {
      Value* value = node.output(i);
      if (i == 0 && is_nhwc_) {
        ASSIGN_OR_RETURN(value, Permuted(value, {0, 2, 3, 1}));
      }
      Dims dims;
      for (const int64_t dim : op_.outputs[i].dims) {
        dims.push_back(dim < 0 ? Dim::Symbol(graph_->NewSymbol()) : Dim(dim));
      }
      const TensorType stated(op_.outputs[i].type, std::move(dims));
      const bool fits = value->type().dtype == stated.dtype && value->type().dims &&
                        (!value->type().is_static() || !stated.is_static() ||
                         *value->type().dims == *stated.dims);
      if (!fits) {
        return Wrong(op_, StrCat("output ", i, " is described as ", stated.ToString(),
                                 ", but the operator gives ", value->type().ToString()));
      }
      graph_->AddOutput(value, StrCat("y", i));
    }
    return std::move(graph_);
  }

  Result<Value*> Permuted(Value* value, Ints perm) {
    Attributes attributes;
    attributes["perm"] = std::move(perm);
    ASSIGN_OR_RETURN(Node * node, BuildNode(*graph_, "Transpose", StrCat(value->name(), "_layout"),
                                            {value}, std::move(attributes), nullptr, {}));
    return node->output();
  }

  /// Strides and dilations by axis of the layout, pads as top, bottom, left, right.
  Status TranslateWindow() {
    is_nhwc_ = !op_.inputs.empty() && op_.inputs[0].format == kNhwc;
    if (is_nhwc_) {
      if (op_.inputs[0].dims.size() != 4) return Wrong(op_, "an NHWC operand must have 4 axes");
      ASSIGN_OR_RETURN(inputs_[0], Permuted(inputs_[0], {0, 3, 1, 2}));
    }
    TakeSpatial("strides", "strides");
    TakeSpatial("dilations", "dilations");
    TakeSpatial("ksize", "kernel_shape");
    if (const Ints* pads = List("pads"); pads && pads->size() == 4) {
      attributes_["pads"] = Ints{(*pads)[0], (*pads)[2], (*pads)[1], (*pads)[3]};
    }
    Rename("groups", "group");
    for (const char* name : {"data_format", "padding", "offset_x"}) attributes_.erase(name);
    return OkStatus();
  }

  void TakeSpatial(const std::string& from, const std::string& to) {
    const Ints* list = List(from);
    if (!list) return;
    const size_t first = is_nhwc_ ? 1 : 2;
    Ints spatial = list->size() == 4 ? Ints{(*list)[first], (*list)[first + 1]} : *list;
    attributes_.erase(from);
    attributes_[to] = std::move(spatial);
  }

  void TranslateMatMul() {
    for (const char* name : {"transpose_x1", "adj_x1", "transpose_a"}) Rename(name, "transA");
    for (const char* name : {"transpose_x2", "adj_x2", "transpose_b"}) Rename(name, "transB");
    attributes_.erase("offset_x");
  }

  void TakeFirstAxis() {
    if (const Ints* axes = List("axes"); axes && axes->size() == 1) {
      attributes_["axis"] = int64_t{axes->front()};
      attributes_.erase("axes");
    }
  }

  void TranslateReduction() {
    Rename("keep_dims", "keepdims");
    if (!attributes_.contains("keepdims")) attributes_["keepdims"] = int64_t{0};
    if (const Ints* axes = List("axes"); axes && inputs_.size() == 1) {
      inputs_.push_back(AddInts(*graph_, "axes", *axes));
      attributes_.erase("axes");
    }
  }

  void TranslateCast() {
    const auto type = attributes_.find("dst_type");
    if (type == attributes_.end()) return;
    if (const auto* number = std::get_if<int64_t>(&type->second)) {
      attributes_["to"] = TensorType(TypeOfNumber(*number));
    }
    attributes_.erase("dst_type");
  }

  Status TranslateTranspose() {
    if (inputs_.size() != 2) return OkStatus();
    const auto perm = IntsOf(inputs_[1]);
    if (!perm) return Wrong(op_, "the permutation must be constant");
    attributes_["perm"] = *perm;
    inputs_.pop_back();
    return OkStatus();
  }

  Status CheckAttributes(const OpDef& def) {
    for (const auto& [name, attribute] : attributes_) {
      const bool known = std::ranges::any_of(
          def.attrs(), [&name = name](const AttrDef& attr) { return attr.name == name; });
      if (!known) return Wrong(op_, StrCat("there is no attribute '", name, "'"));
    }
    return OkStatus();
  }

  const Ints* List(const std::string& name) const {
    const auto found = attributes_.find(name);
    return found == attributes_.end() ? nullptr : std::get_if<Ints>(&found->second);
  }

  void Rename(const std::string& from, const std::string& to) {
    const auto found = attributes_.find(from);
    if (found == attributes_.end() || from == to) return;
    attributes_[to] = found->second;
    attributes_.erase(from);
  }

  const SingleOp& op_;
  std::unique_ptr<Graph> graph_;
  Attributes attributes_;
  std::vector<Value*> inputs_;
  bool is_nhwc_ = false;
};

std::string TensorName(const SingleOpTensor& tensor) {
  std::string name = StrCat("_", PublicDataType(tensor.type), "_", tensor.format);
  for (const int64_t dim : tensor.dims) name += StrCat("_", dim);
  return name;
}

}  // namespace

Result<std::unique_ptr<Graph>> BuildSingleOp(const SingleOp& op) { return Builder(op).Run(); }

std::string SingleOpFileName(const SingleOp& op, size_t index) {
  if (!op.name.empty()) return op.name;
  std::string name = StrCat(index, "_", op.type);
  for (const SingleOpTensor& tensor : op.inputs) name += TensorName(tensor);
  for (const SingleOpTensor& tensor : op.outputs) name += TensorName(tensor);
  return name;
}

}  // namespace cairn::compiler
