// SPDX-License-Identifier: Apache-2.0
// GRU, RNN: recurrent layers without a cell state.
#include "ops/elements.h"
#include "ops/nn/recurrent.h"

namespace cairn {
namespace {

enum Gate : int64_t { kUpdateGate, kResetGate, kHiddenGate, kGates };

/// One direction of a GRU.
struct GruCell {
  GateWeights weights;
  ActivationFn gate, hidden;
  bool reset_after = false;  ///< The reset gate applies to the product with the recurrent weights.

  void Step(const double* x, std::vector<double>& h) const {
    const auto units = static_cast<size_t>(weights.hidden);
    std::vector<double> update(units), reset(units), kept(units), next(units);
    for (size_t u = 0; u < units; ++u) {
      const auto unit = static_cast<int64_t>(u);
      update[u] = gate(weights.FromInput(kUpdateGate, unit, x) +
                       weights.FromHidden(kUpdateGate, unit, h.data()));
      reset[u] = gate(weights.FromInput(kResetGate, unit, x) +
                      weights.FromHidden(kResetGate, unit, h.data()));
      kept[u] = reset[u] * h[u];
    }
    for (size_t u = 0; u < units; ++u) {
      const auto unit = static_cast<int64_t>(u);
      const double recurrent = reset_after
                                   ? reset[u] * weights.FromHidden(kHiddenGate, unit, h.data())
                                   : weights.FromHidden(kHiddenGate, unit, kept.data());
      const double fresh = hidden(weights.FromInput(kHiddenGate, unit, x) + recurrent);
      next[u] = (1 - update[u]) * fresh + update[u] * h[u];
    }
    h = std::move(next);
  }
};

Status EvalGru(EvalContext& in) {
  ASSIGN_OR_RETURN(const RecurrentSizes sizes, ResolveRecurrent(in, kGates));
  ASSIGN_OR_RETURN(const std::vector<ActivationFn> activations,
                   ReadActivations(in.node(), sizes.directions, {"Sigmoid", "Tanh"}));
  std::vector<CellFn> cells;
  for (int64_t d = 0; d < sizes.directions; ++d) {
    const auto first = static_cast<size_t>(2 * d);
    GruCell cell{ReadGateWeights(in, sizes, kGates, d), activations[first], activations[first + 1],
                 in.node().GetInt("linear_before_reset", 0) != 0};
    cells.push_back([cell = std::move(cell)](const double* x, std::vector<double>& h,
                                             std::vector<double>&) { cell.Step(x, h); });
  }
  return RunRecurrent(in, sizes, cells, false);
}

Status EvalRnn(EvalContext& in) {
  ASSIGN_OR_RETURN(const RecurrentSizes sizes, ResolveRecurrent(in, 1));
  ASSIGN_OR_RETURN(const std::vector<ActivationFn> activations,
                   ReadActivations(in.node(), sizes.directions, {"Tanh"}));
  std::vector<CellFn> cells;
  for (int64_t d = 0; d < sizes.directions; ++d) {
    cells.push_back(
        [weights = ReadGateWeights(in, sizes, 1, d), f = activations[static_cast<size_t>(d)]](
            const double* x, std::vector<double>& h, std::vector<double>&) {
          const std::vector<double> before = h;
          for (size_t u = 0; u < h.size(); ++u) {
            const auto unit = static_cast<int64_t>(u);
            h[u] = f(weights.FromInput(0, unit, x) + weights.FromHidden(0, unit, before.data()));
          }
        });
  }
  return RunRecurrent(in, sizes, cells, false);
}

OpDef Recurrent(const char* name) {
  OpDef def(name);
  def.Input("X").Input("W").Input("R").OptionalInput("B").OptionalInput("sequence_lens");
  def.OptionalInput("initial_h").Output("Y").Output("Y_h");
  return AddRecurrentAttrs(def);
}

}  // namespace

OpDef GRUOp() {
  return Recurrent("GRU")
      .DefaultAttr("linear_before_reset", AttrKind::kInt, int64_t{0},
                   "1: the reset gate scales h R + b instead of h.")
      .Doc(
          "z, r = f(x W + h R + b); n = g(x W + (r * h) R + b); h = (1 - z) * n + z * h, per step "
          "and "
          "direction; gates in the order z, r, n. Activations f, g: Sigmoid, Tanh. Steps beyond "
          "sequence_lens give 0.")
      .Infer([](InferContext& in) {
        return InferRecurrent(in, kGates, false, {"Sigmoid", "Tanh"});
      })
      .Reference(EvalGru);
}

OpDef RNNOp() {
  return Recurrent("RNN")
      .Doc(
          "h = f(x W + h R + b) per step and direction, f: Tanh. Steps beyond sequence_lens give "
          "0.")
      .Infer([](InferContext& in) { return InferRecurrent(in, 1, false, {"Tanh"}); })
      .Reference(EvalRnn);
}

}  // namespace cairn
