// SPDX-License-Identifier: Apache-2.0
// FuseSigmoid: the logistic function, however it is written.
#include <cmath>

#include "passes/passes.h"
#include "passes/unary_function.h"

namespace cairn {
namespace {

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

bool IsSigmoid(const UnaryFunction& f) { return f.Agrees(Sigmoid); }

}  // namespace

Result<int> FuseSigmoid(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, [](Graph& g, Node& root) -> Result<bool> {
    const auto f = FindUnaryFunction(root, {"Exp", "Tanh"}, IsSigmoid);
    if (!f) return false;
    RETURN_IF_ERROR(ReplaceCluster(g, *f, "Sigmoid", {}));
    return true;
  });
}

}  // namespace cairn
