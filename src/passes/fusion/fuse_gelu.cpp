// SPDX-License-Identifier: Apache-2.0
// FuseGelu: the Gaussian error linear unit in its erf and its tanh form, however written.
#include <cmath>

#include "passes/passes.h"
#include "passes/unary_function.h"

namespace cairn {
namespace {

double GeluErf(double x) { return 0.5 * x * (1 + std::erf(x * M_SQRT1_2)); }

double GeluTanh(double x) {
  const double root_2_over_pi = M_2_SQRTPI * M_SQRT1_2;
  return 0.5 * x * (1 + std::tanh(root_2_over_pi * (x + 0.044715 * x * x * x)));
}

/// In half precision the two forms are too close to be told apart by their values.
bool UsesErf(const UnaryFunction& f) {
  for (const Node* node : f.nodes()) {
    if (node->op() == "Erf") return true;
  }
  return false;
}

bool IsGelu(const UnaryFunction& f) { return f.Agrees(UsesErf(f) ? GeluErf : GeluTanh); }

}  // namespace

Result<int> FuseGelu(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, [](Graph& g, Node& root) -> Result<bool> {
    const auto f = FindUnaryFunction(root, {"Erf", "Tanh"}, IsGelu);
    if (!f) return false;
    RETURN_IF_ERROR(ReplaceCluster(g, *f, "Gelu",
                                   {{"approximate", std::string(UsesErf(*f) ? "none" : "tanh")}}));
    return true;
  });
}

}  // namespace cairn
