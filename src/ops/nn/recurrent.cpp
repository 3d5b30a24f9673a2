// SPDX-License-Identifier: Apache-2.0
// What LSTM, GRU and RNN share: sizes, gates, and the walk over time.
#include "ops/nn/recurrent.h"

#include <algorithm>

#include "ops/elements.h"

namespace cairn {
namespace {

Result<int64_t> CountDirections(const Node& node) {
  const std::string direction = node.GetString("direction", "forward");
  if (direction == "forward" || direction == "reverse") return int64_t{1};
  if (direction == "bidirectional") return int64_t{2};
  return Status(Code::kInvalidModel, StrCat("'direction' is '", direction,
                                            "', expected forward, reverse or bidirectional"));
}

/// Dims of a state, [directions, batch, hidden] or batch first.
template <class T>
std::vector<T> StateDims(bool batch_first, const T& directions, const T& batch, const T& hidden) {
  if (batch_first) return {batch, directions, hidden};
  return {directions, batch, hidden};
}

template <class T>
std::vector<T> SequenceDims(bool batch_first, const T& steps, const T& directions, const T& batch,
                            const T& hidden) {
  if (batch_first) return {batch, steps, directions, hidden};
  return {steps, directions, batch, hidden};
}

Status CheckOperand(const EvalContext& in, size_t i, const Shape& expected, const char* name) {
  if (!in.has_input(i) || in.input(i).shape() == expected) return OkStatus();
  return Status(Code::kInvalidArgument,
                StrCat("'", name, "' is ", ShapeToString(in.input(i).shape()), ", expected ",
                       ShapeToString(expected)));
}

// Fails when the operand is given and its dims differ from `expected` where both are known.
Status RequireDims(const InferContext& in, size_t i, const Dims& expected, const char* name) {
  const Dims* dims = in.dims(i);
  if (dims == nullptr) return OkStatus();
  bool fits = dims->size() == expected.size();
  for (size_t axis = 0; fits && axis < expected.size(); ++axis) {
    const Dim &found = (*dims)[axis], &wanted = expected[axis];
    fits = !found.is_const() || !wanted.is_const() || found == wanted;
  }
  if (fits) return OkStatus();
  return Status(Code::kInvalidModel, StrCat("'", name, "' is ", DimsToString(*dims), ", expected ",
                                            DimsToString(expected)));
}

std::vector<double> PartOf(const Tensor& tensor, int64_t first, int64_t count) {
  std::vector<double> part(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) part[static_cast<size_t>(i)] = tensor.GetDouble(first + i);
  return part;
}

double Dot(const double* a, const double* b, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

/// Where the state of (direction, sample) starts.
int64_t StateOffset(const RecurrentSizes& s, int64_t direction, int64_t sample) {
  const int64_t row =
      s.batch_first ? sample * s.directions + direction : direction * s.batch + sample;
  return row * s.hidden;
}

int64_t OutputOffset(const RecurrentSizes& s, int64_t step, int64_t direction, int64_t sample) {
  const int64_t row = s.batch_first ? (sample * s.steps + step) * s.directions + direction
                                    : (step * s.directions + direction) * s.batch + sample;
  return row * s.hidden;
}

Result<std::vector<int64_t>> ReadLengths(const EvalContext& in, const RecurrentSizes& s) {
  if (!in.has_input(kLengths)) return std::vector<int64_t>(static_cast<size_t>(s.batch), s.steps);
  const std::vector<int64_t> lengths = ToInts(in.input(kLengths));
  const bool fits = static_cast<int64_t>(lengths.size()) == s.batch &&
                    std::all_of(lengths.begin(), lengths.end(),
                                [&](int64_t n) { return n >= 0 && n <= s.steps; });
  if (fits) return lengths;
  return Status(Code::kInvalidArgument,
                StrCat("'sequence_lens' is [", StrJoin(lengths), "], expected ", s.batch,
                       " values from 0 to ", s.steps));
}

void StoreAt(const std::vector<double>& values, int64_t first, Tensor& tensor) {
  for (size_t i = 0; i < values.size(); ++i) {
    tensor.SetDouble(first + static_cast<int64_t>(i), values[i]);
  }
}

}  // namespace

OpDef& AddRecurrentAttrs(OpDef& def) {
  return def
      .OptionalAttr("activation_alpha", AttrKind::kFloats,
                    "First parameters of the activations that have one, in order.")
      .OptionalAttr("activation_beta", AttrKind::kFloats,
                    "Second parameters of the activations that have one, in order.")
      .OptionalAttr("activations", AttrKind::kStrings, "Names of the activations per direction.")
      .OptionalAttr("clip", AttrKind::kFloat, "Bound of the magnitude of what activations take.")
      .DefaultAttr("direction", AttrKind::kString, std::string("forward"),
                   "forward, reverse or bidirectional.")
      .OptionalAttr("hidden_size", AttrKind::kInt, "Number of hidden units; that of R when absent.")
      .DefaultAttr("layout", AttrKind::kInt, int64_t{0},
                   "0: X [steps, batch, ...], Y [steps, directions, batch, hidden], states "
                   "[directions, batch, hidden]; 1: the batch comes first.");
}

Status InferRecurrent(InferContext& in, int64_t gates, bool has_cell,
                      const std::vector<std::string>& activations) {
  RETURN_IF_ERROR(RequireFloat(in, kSequence));
  for (const size_t i : {kSequence, kInputWeights, kRecurrentWeights}) {
    RETURN_IF_ERROR(RequireSameDtype(in, kSequence, i));
    RETURN_IF_ERROR(RequireRank(in, i, 3));
  }
  ASSIGN_OR_RETURN(const int64_t directions, CountDirections(in.node()));
  RETURN_IF_ERROR(ReadActivations(in.node(), directions, activations).status());
  const bool batch_first = in.node().GetInt("layout", 0) != 0;
  const Dims *x = in.dims(kSequence), *r = in.dims(kRecurrentWeights);
  const int64_t given = in.node().GetInt("hidden_size", 0);
  const Dim hidden = r ? (*r)[2] : given > 0 ? Dim(given) : in.NewSymbol();
  if (r && (*r)[1].is_const() && hidden.is_const() &&
      ((*r)[1].value() != gates * hidden.value() || (given > 0 && hidden.value() != given))) {
    return Status(Code::kInvalidModel, StrCat("'R' is ", DimsToString(*r), ", expected [",
                                              directions, ", ", gates, " * hidden, hidden] with ",
                                              given > 0 ? given : hidden.value(), " hidden units"));
  }
  const Dim steps = x ? (*x)[batch_first ? 1 : 0] : in.NewSymbol();
  const Dim batch = x ? (*x)[batch_first ? 0 : 1] : in.NewSymbol();
  const Dims state_dims = StateDims(batch_first, Dim(directions), batch, hidden);
  const Dim inputs = x ? (*x)[2] : in.NewSymbol(), count(directions);
  RETURN_IF_ERROR(RequireDims(in, kInputWeights, {count, hidden * gates, inputs}, "W"));
  RETURN_IF_ERROR(RequireDims(in, kRecurrentWeights, {count, hidden * gates, hidden}, "R"));
  RETURN_IF_ERROR(RequireDims(in, kBiases, {count, hidden * (2 * gates)}, "B"));
  RETURN_IF_ERROR(RequireDims(in, kLengths, {batch}, "sequence_lens"));
  RETURN_IF_ERROR(RequireDims(in, kInitialHidden, state_dims, "initial_h"));
  RETURN_IF_ERROR(RequireDims(in, kInitialCell, state_dims, "initial_c"));
  RETURN_IF_ERROR(RequireDims(in, kPeephole, {count, hidden * 3}, "P"));
  const ElementType dtype = in.type(kSequence).dtype;
  in.SetOutput(0,
               TensorType(dtype, SequenceDims(batch_first, steps, Dim(directions), batch, hidden)));
  const TensorType state(dtype, state_dims);
  in.SetOutput(1, state);
  if (has_cell) in.SetOutput(2, state);
  return OkStatus();
}

Result<RecurrentSizes> ResolveRecurrent(const EvalContext& in, int64_t gates) {
  RecurrentSizes s;
  const Tensor &x = in.input(kSequence), &r = in.input(kRecurrentWeights);
  if (x.rank() != 3 || r.rank() != 3) {
    return Status(Code::kInvalidArgument, StrCat("X is ", ShapeToString(x.shape()), ", R is ",
                                                 ShapeToString(r.shape()), ", expected rank 3"));
  }
  ASSIGN_OR_RETURN(s.directions, CountDirections(in.node()));
  s.first_reversed = in.node().GetString("direction", "forward") == "reverse";
  s.batch_first = in.node().GetInt("layout", 0) != 0;
  s.steps = x.shape()[s.batch_first ? 1 : 0];
  s.batch = x.shape()[s.batch_first ? 0 : 1];
  s.inputs = x.shape()[2];
  s.hidden = r.shape()[2];
  const Shape state = StateDims(s.batch_first, s.directions, s.batch, s.hidden);
  RETURN_IF_ERROR(CheckOperand(in, kInputWeights, {s.directions, gates * s.hidden, s.inputs}, "W"));
  RETURN_IF_ERROR(
      CheckOperand(in, kRecurrentWeights, {s.directions, gates * s.hidden, s.hidden}, "R"));
  RETURN_IF_ERROR(CheckOperand(in, kBiases, {s.directions, 2 * gates * s.hidden}, "B"));
  RETURN_IF_ERROR(CheckOperand(in, kInitialHidden, state, "initial_h"));
  RETURN_IF_ERROR(CheckOperand(in, kInitialCell, state, "initial_c"));
  RETURN_IF_ERROR(CheckOperand(in, kPeephole, {s.directions, 3 * s.hidden}, "P"));
  return s;
}

double GateWeights::FromInput(int64_t gate, int64_t unit, const double* x) const {
  const int64_t row = gate * hidden + unit;
  return Dot(input.data() + row * inputs, x, inputs) + input_bias[static_cast<size_t>(row)];
}

double GateWeights::FromHidden(int64_t gate, int64_t unit, const double* h) const {
  const int64_t row = gate * hidden + unit;
  return Dot(recurrent.data() + row * hidden, h, hidden) + recurrent_bias[static_cast<size_t>(row)];
}

GateWeights ReadGateWeights(const EvalContext& in, const RecurrentSizes& s, int64_t gates,
                            int64_t direction) {
  const int64_t rows = gates * s.hidden;
  GateWeights weights;
  weights.inputs = s.inputs;
  weights.hidden = s.hidden;
  weights.input = PartOf(in.input(kInputWeights), direction * rows * s.inputs, rows * s.inputs);
  weights.recurrent =
      PartOf(in.input(kRecurrentWeights), direction * rows * s.hidden, rows * s.hidden);
  weights.input_bias.assign(static_cast<size_t>(rows), 0.0);
  weights.recurrent_bias = weights.input_bias;
  if (in.has_input(kBiases)) {
    weights.input_bias = PartOf(in.input(kBiases), direction * 2 * rows, rows);
    weights.recurrent_bias = PartOf(in.input(kBiases), (direction * 2 + 1) * rows, rows);
  }
  return weights;
}

Status RunRecurrent(EvalContext& in, const RecurrentSizes& s, const std::vector<CellFn>& cells,
                    bool has_cell) {
  const Tensor& x = in.input(kSequence);
  const Shape state = StateDims(s.batch_first, s.directions, s.batch, s.hidden);
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(),
                                            SequenceDims(s.batch_first, s.steps, s.directions,
                                                         s.batch, s.hidden)));
  ASSIGN_OR_RETURN(Tensor * last_hidden, in.NewOutput(1, x.dtype(), state));
  Tensor unused;
  Tensor* last_cell = &unused;
  if (has_cell) {
    ASSIGN_OR_RETURN(last_cell, in.NewOutput(2, x.dtype(), state));
  }
  ASSIGN_OR_RETURN(const std::vector<int64_t> lengths, ReadLengths(in, s));
  const std::vector<double> sequence = ToDoubles(x);
  const std::vector<double> zero(static_cast<size_t>(s.hidden), 0.0);
  for (int64_t d = 0; d < s.directions; ++d) {
    const bool reversed = d == 1 || s.first_reversed;
    for (int64_t n = 0; n < s.batch; ++n) {
      const int64_t place = StateOffset(s, d, n), length = lengths[static_cast<size_t>(n)];
      const auto initial = [&](size_t i) {
        return in.has_input(i) ? PartOf(in.input(i), place, s.hidden) : zero;
      };
      std::vector<double> hidden = initial(kInitialHidden);
      std::vector<double> cell = has_cell ? initial(kInitialCell) : zero;
      for (int64_t t = 0; t < length; ++t) {
        const int64_t step = reversed ? length - 1 - t : t;
        const int64_t row = s.batch_first ? n * s.steps + step : step * s.batch + n;
        cells[static_cast<size_t>(d)](sequence.data() + row * s.inputs, hidden, cell);
        StoreAt(hidden, OutputOffset(s, step, d, n), *y);
      }
      StoreAt(hidden, place, *last_hidden);
      if (has_cell) StoreAt(cell, place, *last_cell);
    }
  }
  return OkStatus();
}

}  // namespace cairn
