// SPDX-License-Identifier: Apache-2.0
// FuseHardSwish: x * clip(x + 3, 0, 6) / 6, however it is written.
#include <cmath>

#include "passes/passes.h"
#include "passes/unary_function.h"

namespace cairn {
namespace {

double HardSwish(double x) { return x * std::fmin(std::fmax(x / 6 + 0.5, 0), 1); }

bool IsHardSwish(const UnaryFunction& f) {
  return f.Agrees(HardSwish, {-3.001, -2.999, 2.999, 3.001});
}

}  // namespace

Result<int> FuseHardSwish(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, [](Graph& g, Node& root) -> Result<bool> {
    const auto f =
        FindUnaryFunction(root, {"Clip", "HardSigmoid", "Relu", "Min", "Max"}, IsHardSwish);
    if (!f) return false;
    RETURN_IF_ERROR(ReplaceCluster(g, *f, "HardSwish", {}));
    return true;
  });
}

}  // namespace cairn
