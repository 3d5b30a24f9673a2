// SPDX-License-Identifier: Apache-2.0
// Matchers shared by the layer-norm and rms-norm passes.
#include "passes/normalization.h"

#include <algorithm>

namespace cairn {

std::optional<Mean> MatchMean(const Value* value) {
  Node* node = ProducerOf(value, "ReduceMean");
  if (!node || node->GetInt("keepdims", 1) == 0) return std::nullopt;
  const auto axes = ReductionAxes(*node);
  if (!axes || axes->empty()) return std::nullopt;
  const int64_t rank = node->input(0)->type().rank();
  // The last axes without a gap.
  const int64_t first = axes->front();
  if (axes->back() != rank - 1 || static_cast<int64_t>(axes->size()) != rank - first) {
    return std::nullopt;
  }
  return Mean{node, node->input(0), first};
}

Value* SquareOf(const Value* value) {
  if (Node* mul = ProducerOf(value, "Mul")) {
    return mul->input(0) == mul->input(1) ? mul->input(0) : nullptr;
  }
  Node* pow = ProducerOf(value, "Pow");
  return pow && SplatOf(pow->input(1)) == 2.0 ? pow->input(0) : nullptr;
}

namespace {

/// sqrt(radicand + epsilon).
std::optional<RootDivision> MatchRadicand(const Value* sum) {
  Node* add = ProducerOf(sum, "Add");
  if (!add) return std::nullopt;
  for (size_t i = 0; i < 2; ++i) {
    const auto epsilon = SplatOf(add->input(i));
    if (!epsilon || *epsilon < 0 || !SameShape(add->input(1 - i), sum)) continue;
    return RootDivision{nullptr, add->input(1 - i), *epsilon, {add}};
  }
  return std::nullopt;
}

std::optional<RootDivision> MatchRoot(const Value* value) {
  if (Node* sqrt = ProducerOf(value, "Sqrt")) {
    auto root = MatchRadicand(sqrt->input(0));
    if (root) root->nodes.insert(sqrt);
    return root;
  }
  Node* pow = ProducerOf(value, "Pow");
  if (!pow || SplatOf(pow->input(1)) != 0.5) return std::nullopt;
  auto root = MatchRadicand(pow->input(0));
  if (root) root->nodes.insert(pow);
  return root;
}

}  // namespace

std::optional<RootDivision> MatchInverseRoot(const Value* value) {
  std::optional<RootDivision> root;
  Node* node = value ? value->producer() : nullptr;
  if (!node || node->epilogue()) return std::nullopt;
  if (node->op() == "Reciprocal") {
    root = MatchRoot(node->input(0));
  } else if (node->op() == "Div" && SplatOf(node->input(0)) == 1.0) {
    root = MatchRoot(node->input(1));
  } else if (node->op() == "Pow" && SplatOf(node->input(1)) == -0.5) {
    root = MatchRadicand(node->input(0));
  }
  if (root) root->nodes.insert(node);
  return root;
}

std::optional<RootDivision> MatchRootDivision(Node& node) {
  if (node.epilogue() || node.num_formal_inputs() != 2) return std::nullopt;
  std::optional<RootDivision> root;
  if (node.op() == "Div") {
    root = MatchRoot(node.input(1));
    if (root) root->numerator = node.input(0);
  } else if (node.op() == "Mul") {
    for (size_t i = 0; i < 2 && !root; ++i) {
      root = MatchInverseRoot(node.input(i));
      if (root) root->numerator = node.input(1 - i);
    }
  }
  if (!root || !SameType(root->numerator, node.output())) return std::nullopt;
  root->nodes.insert(&node);
  return root;
}

std::optional<ChannelOperand> MatchTrailingOperand(const Value* value, std::string_view op,
                                                   int64_t axis) {
  Node* node = SoleReader(value);
  if (!node || node->op() != op || node->epilogue() || !SameType(node->output(), value)) {
    return std::nullopt;
  }
  Value* operand = OtherInput(*node, value);
  if (!operand || operand->type().dtype != value->type().dtype || !operand->type().dims) {
    return std::nullopt;
  }
  const Dims &dims = *value->type().dims, &own = *operand->type().dims;
  const size_t trailing = dims.size() - static_cast<size_t>(axis);
  if (own.size() < trailing || own.size() > dims.size()) return std::nullopt;
  const size_t lead = own.size() - trailing;
  for (size_t i = 0; i < own.size(); ++i) {
    const Dim& expected = i < lead ? Dim(1) : dims[static_cast<size_t>(axis) + i - lead];
    if (!(own[i] == expected)) return std::nullopt;
  }
  // Leading 1s are only dropped from constants.
  if (lead > 0 && !operand->is_constant()) return std::nullopt;
  return ChannelOperand{node, operand};
}

Value* AsTrailing(Graph& graph, Value* operand, const Dims& dims, int64_t axis) {
  const size_t trailing = dims.size() - static_cast<size_t>(axis);
  if (operand->type().dims->size() == trailing) return operand;
  if (!operand->is_constant()) return nullptr;
  const Tensor& tensor = operand->constant();
  const auto lead = static_cast<std::ptrdiff_t>(tensor.shape().size() - trailing);
  return graph.AddConstant(
      operand->name(), tensor.Reshaped(Shape(tensor.shape().begin() + lead, tensor.shape().end())));
}

Result<Value*> OnesFor(Graph& graph, const TensorType& type, int64_t axis) {
  const auto dims = ConstDims(Dims(type.dims->begin() + axis, type.dims->end()));
  if (!dims) return static_cast<Value*>(nullptr);
  ASSIGN_OR_RETURN(const int64_t count, NumElements(*dims));
  ASSIGN_OR_RETURN(Tensor ones, MakeTensor(type.dtype, *dims,
                                           std::vector<double>(static_cast<size_t>(count), 1)));
  return graph.AddConstant("ones", std::move(ones));
}

}  // namespace cairn
