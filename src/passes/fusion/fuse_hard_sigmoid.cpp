// SPDX-License-Identifier: Apache-2.0
// FuseHardSigmoid: clip(alpha * x + beta, 0, 1), however it is written.
#include <cmath>

#include "passes/passes.h"
#include "passes/unary_function.h"

namespace cairn {
namespace {

struct Line {
  double alpha = 0, beta = 0;
};

/// Slope and value at 0, where a hard sigmoid is straight.
Line LineOf(const UnaryFunction& f) { return {(f(0x1p-10) - f(-0x1p-10)) / 0x1p-9, f(0)}; }

bool IsHardSigmoid(const UnaryFunction& f) {
  const auto [alpha, beta] = LineOf(f);
  // clip(x, 0, 1) and the like are better left as they are.
  if (!(beta > 0.01 && beta < 0.99) || !(std::fabs(alpha) > 1e-3)) return false;
  const auto hard_sigmoid = [a = alpha, b = beta](double x) {
    return std::fmin(std::fmax(a * x + b, 0), 1);
  };
  const double low = -beta / alpha, high = (1 - beta) / alpha;
  return f.Agrees(hard_sigmoid, {low * 1.001, low * 0.999, high * 1.001, high * 0.999, low * 2,
                                 high * 2, low * 100, high * 100});
}

}  // namespace

Result<int> FuseHardSigmoid(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, [](Graph& g, Node& root) -> Result<bool> {
    const auto f = FindUnaryFunction(root, {"Clip", "Relu", "Min", "Max"}, IsHardSigmoid);
    if (!f) return false;
    RETURN_IF_ERROR(ReplaceCluster(g, *f, "HardSigmoid",
                                   {{"alpha", static_cast<float>(LineOf(*f).alpha)},
                                    {"beta", static_cast<float>(LineOf(*f).beta)}}));
    return true;
  });
}

}  // namespace cairn
