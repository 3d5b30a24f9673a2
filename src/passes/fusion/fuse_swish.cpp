// SPDX-License-Identifier: Apache-2.0
// FuseSwish: x * sigmoid(alpha * x), however it is written.
#include <cmath>

#include "passes/passes.h"
#include "passes/unary_function.h"

namespace cairn {
namespace {

/// alpha from the value at 1, which is sigmoid(alpha); to three digits when that is what was meant.
float AlphaOf(const UnaryFunction& f) {
  const double s = f(1);
  if (!(s > 0 && s < 1)) return 0;
  const double alpha = std::log(s / (1 - s)), rounded = std::round(alpha * 1000) / 1000;
  return static_cast<float>(std::fabs(alpha - rounded) < 1e-6 ? rounded : alpha);
}

bool IsSwish(const UnaryFunction& f) {
  const auto alpha = static_cast<double>(AlphaOf(f));
  // x * sigmoid(0) is x / 2: not an activation.
  return std::fabs(alpha) > 0.01 &&
         f.Agrees([alpha](double x) { return x / (1 + std::exp(-alpha * x)); });
}

}  // namespace

Result<int> FuseSwish(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, [](Graph& g, Node& root) -> Result<bool> {
    const auto f = FindUnaryFunction(root, {"Sigmoid", "Exp"}, IsSwish);
    if (!f) return false;
    RETURN_IF_ERROR(ReplaceCluster(g, *f, "Swish", {{"alpha", AlphaOf(*f)}}));
    return true;
  });
}

}  // namespace cairn
