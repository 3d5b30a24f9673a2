// SPDX-License-Identifier: Apache-2.0
// What LSTM, GRU and RNN share: sizes, activations, gates, and the walk over time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ops/op_def.h"

namespace cairn {

/// Operands of recurrent operators; kInitialCell and kPeephole are those of LSTM alone.
enum RecurrentInput : size_t {
  kSequence,
  kInputWeights,
  kRecurrentWeights,
  kBiases,
  kLengths,
  kInitialHidden,
  kInitialCell,
  kPeephole
};

/// Adds the attributes that all three have.
OpDef& AddRecurrentAttrs(OpDef& def);

/// Types of Y, Y_h and (with `has_cell`) Y_c; checks the operands as far as known, and the
/// activations. `gates`: rows of the weights per hidden unit; `activations`: the default ones.
Status InferRecurrent(InferContext& in, int64_t gates, bool has_cell,
                      const std::vector<std::string>& activations);

struct RecurrentSizes {
  int64_t steps = 0, batch = 0, inputs = 0, hidden = 0, directions = 1;
  bool batch_first = false;  ///< Sequences are [batch, steps, ...] instead of [steps, batch, ...].
  bool first_reversed = false;  ///< Direction 0 runs from the end; direction 1 always does.
};
Result<RecurrentSizes> ResolveRecurrent(const EvalContext& in, int64_t gates);

using ActivationFn = std::function<double(double)>;
/// Activations of `per_direction` for every direction, by name (`defaults` when absent), with their
/// parameters; `clip`, when given, bounds what goes into them.
Result<std::vector<ActivationFn>> ReadActivations(const Node& node, int64_t directions,
                                                  const std::vector<std::string>& defaults);

/// Weights of one direction: gates of x and of the hidden state, biases apart.
struct GateWeights {
  int64_t inputs = 0, hidden = 0;
  std::vector<double> input, recurrent, input_bias, recurrent_bias;
  /// Row `gate` * hidden + `unit` times x, plus bias.
  double FromInput(int64_t gate, int64_t unit, const double* x) const;
  double FromHidden(int64_t gate, int64_t unit, const double* h) const;
};
GateWeights ReadGateWeights(const EvalContext& in, const RecurrentSizes& sizes, int64_t gates,
                            int64_t direction);

/// One step of one direction for one sample: replaces the states by the next ones.
using CellFn =
    std::function<void(const double* x, std::vector<double>& hidden, std::vector<double>& cell)>;
/// Runs one cell per direction over all samples; fills Y, Y_h and (with `has_cell`) Y_c.
Status RunRecurrent(EvalContext& in, const RecurrentSizes& sizes, const std::vector<CellFn>& cells,
                    bool has_cell);

}  // namespace cairn
