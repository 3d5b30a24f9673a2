// SPDX-License-Identifier: Apache-2.0
// LSTM: a recurrent layer with input, output and forget gates.
#include "ops/elements.h"
#include "ops/nn/recurrent.h"

namespace cairn {
namespace {

enum Gate : int64_t { kInputGate, kOutputGate, kForgetGate, kCellGate, kGates };

/// One direction.
struct LstmCell {
  GateWeights weights;
  std::vector<double> peephole;  ///< Of the input, output and forget gate.
  ActivationFn gate, cell, hidden;
  bool couples = false;  ///< The forget gate is one minus the input gate.

  void Step(const double* x, std::vector<double>& h, std::vector<double>& c) const {
    const std::vector<double> before = h;
    const auto row = [&](Gate g, int64_t unit) {
      return weights.FromInput(g, unit, x) + weights.FromHidden(g, unit, before.data());
    };
    for (int64_t u = 0; u < weights.hidden; ++u) {
      const auto at = static_cast<size_t>(u);
      const double old = c[at];
      const double input = gate(row(kInputGate, u) + Peep(kInputGate, u) * old);
      const double forget =
          couples ? 1 - input : gate(row(kForgetGate, u) + Peep(kForgetGate, u) * old);
      c[at] = forget * old + input * cell(row(kCellGate, u));
      const double output = gate(row(kOutputGate, u) + Peep(kOutputGate, u) * c[at]);
      h[at] = output * hidden(c[at]);
    }
  }

 private:
  double Peep(Gate g, int64_t unit) const {
    return peephole.empty() ? 0 : peephole[static_cast<size_t>(g * weights.hidden + unit)];
  }
};

const std::vector<std::string> kActivations = {"Sigmoid", "Tanh", "Tanh"};

Status EvalLstm(EvalContext& in) {
  ASSIGN_OR_RETURN(const RecurrentSizes sizes, ResolveRecurrent(in, kGates));
  ASSIGN_OR_RETURN(const std::vector<ActivationFn> activations,
                   ReadActivations(in.node(), sizes.directions, kActivations));
  std::vector<CellFn> cells;
  for (int64_t d = 0; d < sizes.directions; ++d) {
    LstmCell cell;
    cell.weights = ReadGateWeights(in, sizes, kGates, d);
    const auto first = static_cast<size_t>(3 * d);
    cell.gate = activations[first];
    cell.cell = activations[first + 1];
    cell.hidden = activations[first + 2];
    cell.couples = in.node().GetInt("input_forget", 0) != 0;
    for (int64_t i = 0; in.has_input(kPeephole) && i < 3 * sizes.hidden; ++i) {
      cell.peephole.push_back(in.input(kPeephole).GetDouble(d * 3 * sizes.hidden + i));
    }
    cells.push_back([cell = std::move(cell)](const double* x, std::vector<double>& h,
                                             std::vector<double>& c) { cell.Step(x, h, c); });
  }
  return RunRecurrent(in, sizes, cells, true);
}

}  // namespace

OpDef LSTMOp() {
  OpDef def("LSTM");
  def.Input("X").Input("W").Input("R").OptionalInput("B").OptionalInput("sequence_lens");
  def.OptionalInput("initial_h").OptionalInput("initial_c").OptionalInput("P");
  def.Output("Y").Output("Y_h").Output("Y_c");
  return AddRecurrentAttrs(def)
      .DefaultAttr("input_forget", AttrKind::kInt, int64_t{0},
                   "1: the forget gate is one minus the input gate.")
      .Doc(
          "i, o, f = f(x W + h R + b + P c); c = f * c + i * g(x W + h R + b); h = o * h(c), per "
          "step and direction; gates in the order i, o, f, c; the output gate sees the new c. "
          "Activations f, g, h: Sigmoid, Tanh, Tanh. Steps beyond sequence_lens give 0.")
      .Infer([](InferContext& in) { return InferRecurrent(in, kGates, true, kActivations); })
      .Reference(EvalLstm);
}

}  // namespace cairn
