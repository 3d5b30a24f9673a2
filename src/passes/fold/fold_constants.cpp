// SPDX-License-Identifier: Apache-2.0
// FoldConstants: evaluates nodes whose operands are all constant with the reference.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "passes/passes.h"
#include "passes/rewrite.h"
#include "reference/interpreter.h"

namespace cairn {
namespace {

// A result larger than its operands is worth storing only when it is small, or when it becomes a
// weight that the planner packs anyway.
constexpr int64_t kSmallBytes = int64_t{1} << 16;
constexpr int64_t kWeightBytes = int64_t{1} << 30;
/// The reference is slow: heavier nodes are left to the run.
constexpr double kMaxElements = 3e8;
constexpr double kMaxProducts = 1e8;

bool ReadsWeights(std::string_view op) {
  return op == "Conv" || op == "ConvTranspose" || op == "MatMul" || op == "Gemm" ||
         op == "BatchNormalization" || op == "LSTM" || op == "GRU" || op == "RNN" ||
         op == "Transpose" || op == "Reshape" || op == "DequantizeLinear";
}

bool IsWeight(const Value& value) {
  return std::any_of(value.uses().begin(), value.uses().end(),
                     [](const Use& use) { return ReadsWeights(use.node->op()); });
}

int64_t BytesOf(const TensorType& type) {
  const auto dims = type.dims ? ConstDims(*type.dims) : std::nullopt;
  if (!dims) return -1;
  const auto count = NumElements(*dims);
  if (!count.ok() || *count > kWeightBytes * 8) return INT64_MAX;
  return type.dtype == ElementType::kString
             ? *count * 16
             : static_cast<int64_t>(ElementBytes(type.dtype, static_cast<size_t>(*count)));
}

bool ResultsAreSmallEnough(const Node& node) {
  int64_t input_bytes = 0;
  for (const Value* input : node.inputs()) {
    if (input) input_bytes += static_cast<int64_t>(input->constant().num_bytes());
  }
  int64_t output_bytes = 0;
  bool weight = false;
  for (const Value* output : node.outputs()) {
    if (!output) continue;
    const int64_t bytes = BytesOf(output->type());
    // An unknown size depends on the elements of small operands (NonZero, Unique, ...).
    if (bytes < 0) return input_bytes <= kSmallBytes;
    if (bytes > kWeightBytes) return false;
    output_bytes += bytes;
    weight = weight || IsWeight(*output);
  }
  return output_bytes <= std::max(kSmallBytes, input_bytes) ||
         (weight && output_bytes <= kWeightBytes);
}

double ElementsOf(const TensorType& type) {
  const auto dims = type.dims ? ConstDims(*type.dims) : std::nullopt;
  const auto count = dims ? NumElements(*dims) : Result<int64_t>(0);
  return count.ok() ? static_cast<double>(*count) : HUGE_VAL;
}

/// True when the reference needs seconds at most.
bool IsCheap(const Node& node) {
  static constexpr std::string_view kProductOps[] = {
      "Attention", "Conv", "ConvInteger", "ConvTranspose", "DFT",           "Det", "Einsum",
      "GRU",       "Gemm", "LSTM",        "MatMul",        "MatMulInteger", "RNN"};
  double elements = 0, product = 1;
  for (const Value* input : node.inputs()) {
    if (!input) continue;
    const auto count = static_cast<double>(input->constant().num_elements());
    elements += count;
    product *= std::max(count, 1.0);
  }
  for (const Value* output : node.outputs()) {
    if (output) elements += ElementsOf(output->type());
  }
  const bool multiplies =
      std::find(std::begin(kProductOps), std::end(kProductOps), node.op()) != std::end(kProductOps);
  return elements <= kMaxElements && (!multiplies || product <= kMaxProducts);
}

bool HasConstantOperands(const Node& node) {
  return std::all_of(node.inputs().begin(), node.inputs().end(),
                     [](const Value* input) { return !input || input->is_constant(); });
}

Result<bool> FoldNode(Graph& graph, Node& node) {
  if (!HasConstantOperands(node)) return false;
  const OpDef* def = FindOp(node.op());
  if (!def || !def->Has(kPure) || !def->reference() || !node.Regions().empty()) return false;
  if (!ResultsAreSmallEnough(node) || !IsCheap(node)) return false;
  std::vector<Tensor> operands;
  for (const Value* input : node.inputs()) operands.push_back(input ? input->constant() : Tensor());
  const auto evaluated = EvaluateNode(node, std::move(operands));
  // A fault such as an index out of range is for the run to report, if it comes there.
  if (!evaluated.ok()) return false;
  const std::vector<Tensor>& results = *evaluated;
  for (size_t i = 0; i < node.outputs().size(); ++i) {
    const Value* output = node.output(i);
    // Sequences and optionals have no tensor form.
    if (output && (i >= results.size() || !results[i].defined() || !results[i].is_tensor())) {
      return false;
    }
  }
  std::vector<std::pair<Value*, std::string>> constants;
  for (size_t i = 0; i < node.outputs().size(); ++i) {
    Value* output = node.output(i);
    if (!output || output->num_uses() == 0) continue;
    Value* constant = graph.AddConstant("", results[i]);
    constants.emplace_back(constant, output->name());
    graph.ReplaceAllUses(output, constant);
  }
  EraseUnused(graph, &node);
  for (const auto& [constant, name] : constants) graph.Rename(constant, name);
  return true;
}

}  // namespace

Result<int> FoldConstants(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, FoldNode);
}

}  // namespace cairn
