// SPDX-License-Identifier: Apache-2.0
// Lists and names behind the precision modes.
#include "passes/precision/policy.h"

#include <algorithm>
#include <cctype>

#include "ops/op_def.h"

namespace cairn {
namespace {

struct Alias {
  std::string_view original, op;
};

constexpr Alias kAliases[] = {{"AvgPool", "AveragePool"},
                              {"AvgPool3D", "AveragePool"},
                              {"BatchMatMul", "MatMul"},
                              {"BNInfer", "BatchNormalization"},
                              {"BatchNorm", "BatchNormalization"},
                              {"ConcatD", "Concat"},
                              {"Conv2D", "Conv"},
                              {"Conv2DTranspose", "ConvTranspose"},
                              {"Conv2DTransposeD", "ConvTranspose"},
                              {"Conv3D", "Conv"},
                              {"DepthwiseConv2D", "Conv"},
                              {"FullyConnection", "MatMul"},
                              {"LayerNorm", "LayerNormalization"},
                              {"LogSoftmaxV2", "LogSoftmax"},
                              {"MaxPool3D", "MaxPool"},
                              {"Maximum", "Max"},
                              {"Minimum", "Min"},
                              {"RealDiv", "Div"},
                              {"ReduceMeanD", "ReduceMean"},
                              {"ReduceSumD", "ReduceSum"},
                              {"RmsNorm", "RMSNormalization"},
                              {"Select", "Where"},
                              {"TransposeD", "Transpose"}};

bool IsKnown(std::string_view name) { return FindOp(name) != nullptr; }

std::string WithoutVersion(std::string_view name) {
  size_t end = name.size();
  while (end > 0 && std::isdigit(static_cast<unsigned char>(name[end - 1]))) --end;
  const bool versioned = end > 1 && end < name.size() && name[end - 1] == 'V';
  return std::string(versioned ? name.substr(0, end - 1) : name);
}

bool HasOrigin(const Node& node, const std::set<std::string, std::less<>>& names) {
  if (names.contains(node.name())) return true;
  return std::ranges::any_of(node.origins(),
                             [&](const std::string& origin) { return names.contains(origin); });
}

}  // namespace

std::string OperatorNamed(std::string_view name) {
  if (IsKnown(name)) return std::string(name);
  const std::string plain = WithoutVersion(name);
  const auto alias = std::ranges::find(kAliases, plain, &Alias::original);
  return alias == std::end(kAliases) ? plain : std::string(alias->op);
}

bool IsMatrixOp(std::string_view op) {
  return op == "Conv" || op == "ConvTranspose" || op == "MatMul" || op == "Gemm" ||
         op == "Attention" || op == "Einsum";
}

std::set<std::string, std::less<>> DefaultWhiteList() {
  return {"Attention", "Conv", "ConvTranspose", "Einsum", "Gemm", "MatMul"};
}

std::set<std::string, std::less<>> DefaultBlackList() {
  return {"Acosh",
          "Asinh",
          "Atanh",
          "Cosh",
          "CumSum",
          "Erf",
          "Exp",
          "GroupNormalization",
          "InstanceNormalization",
          "LayerNormalization",
          "Log",
          "LogSoftmax",
          "LpNormalization",
          "Pow",
          "RMSNormalization",
          "Reciprocal",
          "ReduceL1",
          "ReduceL2",
          "ReduceLogSum",
          "ReduceLogSumExp",
          "ReduceMean",
          "ReduceProd",
          "ReduceSum",
          "ReduceSumSquare",
          "Sinh",
          "Softmax",
          "Softplus",
          "Sqrt"};
}

const OperandTypes* PrecisionPolicy::TypesOf(const Node& node) const {
  if (const auto own = node_types.find(node.name()); own != node_types.end()) return &own->second;
  for (const std::string& origin : node.origins()) {
    if (const auto own = node_types.find(origin); own != node_types.end()) return &own->second;
  }
  const auto by_op = op_types.find(node.op());
  return by_op == op_types.end() ? nullptr : &by_op->second;
}

bool PrecisionPolicy::IsKept(const Node& node) const {
  return kept_ops.contains(node.op()) || HasOrigin(node, kept_nodes);
}

}  // namespace cairn
