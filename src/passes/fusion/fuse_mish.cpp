// SPDX-License-Identifier: Apache-2.0
// FuseMish: x * tanh(log(1 + exp(x))), however it is written.
#include <cmath>

#include "passes/passes.h"
#include "passes/unary_function.h"

namespace cairn {
namespace {

double Mish(double x) { return x * std::tanh(std::log1p(std::exp(x))); }

bool IsMish(const UnaryFunction& f) { return f.Agrees(Mish); }

}  // namespace

Result<int> FuseMish(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, [](Graph& g, Node& root) -> Result<bool> {
    const auto f = FindUnaryFunction(root, {"Tanh"}, IsMish);
    if (!f) return false;
    RETURN_IF_ERROR(ReplaceCluster(g, *f, "Mish", {}));
    return true;
  });
}

}  // namespace cairn
