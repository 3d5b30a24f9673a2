// SPDX-License-Identifier: Apache-2.0
// CanonicalizeGemm: Gemm becomes MatMul with explicit scalings and bias, so that one set of fusions
// and kernels serves both.
#include "passes/passes.h"
#include "passes/rewrite.h"

namespace cairn {
namespace {

/// alpha * value: a new constant for constants, else a Mul.
Result<Value*> Scale(Graph& graph, Value* value, float alpha, Node& gemm) {
  if (alpha == 1.0f) return value;
  const ElementType dtype = value->type().dtype;
  if (const Tensor* tensor = ConstantOf(value)) {
    std::vector<double> scaled;
    for (int64_t i = 0; i < tensor->num_elements(); ++i) {
      scaled.push_back(tensor->GetDouble(i) * static_cast<double>(alpha));
    }
    ASSIGN_OR_RETURN(Tensor result, MakeTensor(dtype, tensor->shape(), scaled));
    return graph.AddConstant(value->name(), std::move(result));
  }
  ASSIGN_OR_RETURN(Tensor factor, MakeTensor(dtype, {}, {static_cast<double>(alpha)}));
  Value* constant = graph.AddConstant(StrCat(gemm.name(), "_factor"), std::move(factor));
  ASSIGN_OR_RETURN(Node * mul, BuildNode(graph, "Mul", "", {value, constant}, {}, &gemm, {&gemm}));
  return mul->output();
}

Result<bool> Canonicalize(Graph& graph, Node& node) {
  if (node.op() != "Gemm" || node.epilogue() || !node.output()) return false;
  const float alpha = node.GetFloat("alpha", 1), beta = node.GetFloat("beta", 1);
  Value *a = node.input(0), *b = node.input(1), *c = node.input(2);
  const ElementType dtype = a->type().dtype;
  if (!IsPlainFloat(dtype) && (alpha != 1 || beta != 1)) return false;
  if (!a->type().dims || !b->type().dims || a->type().rank() != 2 || b->type().rank() != 2) {
    return false;
  }
  const int64_t trans_a = node.GetInt("transA", 0), trans_b = node.GetInt("transB", 0);
  const bool scale_b = b->is_constant();
  if (scale_b) {
    ASSIGN_OR_RETURN(b, Scale(graph, b, alpha, node));
  }
  ASSIGN_OR_RETURN(Node * matmul,
                   BuildNode(graph, "MatMul", "", {a, b},
                             {{"transA", trans_a}, {"transB", trans_b}}, &node, {&node}));
  Value* y = matmul->output();
  if (!scale_b) {
    ASSIGN_OR_RETURN(y, Scale(graph, y, alpha, node));
  }
  if (c && beta != 0) {
    ASSIGN_OR_RETURN(c, Scale(graph, c, beta, node));
    ASSIGN_OR_RETURN(Node * add, BuildNode(graph, "Add", "", {y, c}, {}, &node, {&node}));
    y = add->output();
  }
  const std::string name = node.name();
  Node* last = y->producer();
  RETURN_IF_ERROR(TakeOver(graph, node.output(), y));
  if (!graph.FindNode(name)) graph.Rename(last, name);
  return true;
}

}  // namespace

Result<int> CanonicalizeGemm(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, Canonicalize);
}

}  // namespace cairn
