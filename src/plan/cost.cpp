// SPDX-License-Identifier: Apache-2.0
// Counts the arithmetic of a node.
#include "plan/cost.h"

#include "plan/lowering.h"

namespace cairn::plan {
namespace {

double Elements(const Value* value) {
  return value ? static_cast<double>(ElementCount(StaticShape(*value))) : 0.0;
}

/// 2 * output elements * weights that meet in one output element.
double ConvFlops(const Node& node) {
  const Shape weights = StaticShape(*node.input(1));
  return 2.0 * Elements(node.output()) * Elements(node.input(1)) /
         static_cast<double>(std::max<int64_t>(weights[0], 1));
}

/// 2 * input elements * weights that one input element meets.
double ConvTransposeFlops(const Node& node) {
  const Shape weights = StaticShape(*node.input(1));
  return 2.0 * Elements(node.input(0)) * Elements(node.input(1)) /
         static_cast<double>(std::max<int64_t>(weights[0], 1));
}

double MatMulFlops(const Node& node) {
  const Shape a = StaticShape(*node.input(0));
  const bool transposed = node.GetInt("transA", 0) != 0 && a.size() >= 2;
  const int64_t k = a.empty() ? 1 : transposed ? a[a.size() - 2] : a.back();
  return 2.0 * Elements(node.output()) * static_cast<double>(k);
}

}  // namespace

double NodeFlops(const Node& node) {
  if (node.op() == "Conv") return ConvFlops(node);
  if (node.op() == "ConvTranspose") return ConvTransposeFlops(node);
  if (node.op() == "MatMul" || node.op() == "Gemm") return MatMulFlops(node);
  double flops = 0;
  for (const Value* output : node.outputs()) flops += Elements(output);
  return flops;
}

}  // namespace cairn::plan
