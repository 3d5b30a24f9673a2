// SPDX-License-Identifier: Apache-2.0
// MelWeightMatrix: triangles on the mel scale that gather the bins of a spectrum.
#include <cmath>

#include "ops/elements.h"

namespace cairn {
namespace {

enum Input : size_t { kNumBins, kDftLength, kSampleRate, kLowerEdge, kUpperEdge };

ElementType OutputType(const Node& node) {
  const auto* type = node.Get<TensorType>("output_datatype");
  return type ? type->dtype : ElementType::kF32;
}

Status InferMelWeightMatrix(InferContext& in) {
  for (const size_t i : {kNumBins, kDftLength, kSampleRate}) {
    RETURN_IF_ERROR(RequireIndexType(in, i));
  }
  RETURN_IF_ERROR(RequireFloat(in, kLowerEdge));
  RETURN_IF_ERROR(RequireFloat(in, kUpperEdge));
  const auto bins = in.Ints(kNumBins), length = in.Ints(kDftLength);
  const auto known = [](const auto& v) { return v && v->size() == 1 && (*v)[0] >= 0; };
  in.SetOutput(0, TensorType(OutputType(in.node()),
                             {known(length) ? Dim((*length)[0] / 2 + 1) : in.NewSymbol(),
                              known(bins) ? Dim((*bins)[0]) : in.NewSymbol()}));
  return OkStatus();
}

double ToMel(double hertz) { return 2595 * std::log10(1 + hertz / 700); }
double ToHertz(double mel) { return 700 * (std::pow(10, mel / 2595) - 1); }

/// The spectrum bins where the triangles begin, peak and end: num_mel_bins + 2 of them.
std::vector<int64_t> EdgeBins(const EvalContext& in, int64_t count) {
  const double low = ToMel(in.input(kLowerEdge).GetDouble(0));
  const double high = ToMel(in.input(kUpperEdge).GetDouble(0));
  // onnx:MelWeightMatrix: the step divides by the number of edges.
  const double step = (high - low) / static_cast<double>(count);
  std::vector<int64_t> edges;
  for (int64_t i = 0; i < count; ++i) {
    const double hertz = ToHertz(low + step * static_cast<double>(i));
    const auto scaled = static_cast<double>(in.input(kDftLength).GetInt(0) + 1) * hertz;
    edges.push_back(static_cast<int64_t>(
        std::floor(scaled / static_cast<double>(in.input(kSampleRate).GetInt(0)))));
  }
  return edges;
}

Status EvalMelWeightMatrix(EvalContext& in) {
  for (size_t i = 0; i < 5; ++i) {
    if (in.input(i).num_elements() != 1) {
      return Status(Code::kInvalidArgument, StrCat("input ", i, " must have one element"));
    }
  }
  const int64_t bins = in.input(kNumBins).GetInt(0);
  const int64_t length = in.input(kDftLength).GetInt(0);
  const double low = in.input(kLowerEdge).GetDouble(0), high = in.input(kUpperEdge).GetDouble(0);
  constexpr int64_t kMax = int64_t{1} << 28;
  if (bins < 0 || bins > kMax || length < 1 || length > kMax ||
      in.input(kSampleRate).GetInt(0) < 1 || !(low >= 0) || !(high >= low)) {
    return Status(Code::kInvalidArgument,
                  StrCat(bins, " bands from ", low, " to ", high, " Hz of a transform of ", length,
                         " at ", in.input(kSampleRate).GetInt(0), " Hz are not possible"));
  }
  const int64_t rows = length / 2 + 1;
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, OutputType(in.node()), {rows, bins}));
  const std::vector<int64_t> edges = EdgeBins(in, bins + 2);
  for (int64_t band = 0; band < bins; ++band) {
    const int64_t begin = edges[static_cast<size_t>(band)];
    const int64_t peak = edges[static_cast<size_t>(band) + 1];
    const int64_t end = edges[static_cast<size_t>(band) + 2];
    const auto set = [&](int64_t row, double value) {
      if (row < rows) y->SetDouble(row * bins + band, value);
    };
    if (peak == begin) set(peak, 1);
    for (int64_t row = begin; peak > begin && row <= peak && row < rows; ++row) {
      set(row, static_cast<double>(row - begin) / static_cast<double>(peak - begin));
    }
    for (int64_t row = peak; row < end && row < rows; ++row) {
      set(row, static_cast<double>(end - row) / static_cast<double>(end - peak));
    }
  }
  return OkStatus();
}

}  // namespace

OpDef MelWeightMatrixOp() {
  return OpDef("MelWeightMatrix")
      .Input("num_mel_bins")
      .Input("dft_length")
      .Input("sample_rate")
      .Input("lower_edge_hertz")
      .Input("upper_edge_hertz")
      .Output("output")
      .OptionalAttr("output_datatype", AttrKind::kType, "f32 when absent.")
      .Doc("The weights [dft_length / 2 + 1, num_mel_bins] of triangles with peak 1 that are evenly "
           "spaced on the scale mel(f) = 2595 log10(1 + f / 700).")
      .Infer(InferMelWeightMatrix)
      .Reference(EvalMelWeightMatrix);
}

}  // namespace cairn
