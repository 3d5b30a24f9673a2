// SPDX-License-Identifier: Apache-2.0
// LayerNormalization, RMSNormalization: normalisation over the last axes.
#include <cmath>

#include "ops/elementwise.h"

namespace cairn {
namespace {

/// The first normalised axis over a known rank.
Result<int64_t> FirstAxis(const Node& node, int64_t rank) {
  return NormalizeAxis(node.GetInt("axis", -1), rank);
}

ElementType StashType(const Node& node) {
  return node.GetInt("stash_type", 1) == 16 ? ElementType::kBf16 : ElementType::kF32;
}

/// Scale and shift must broadcast to X in one direction.
Status CheckBroadcastsTo(const InferContext& in, size_t i, const Dims& x) {
  const Dims* dims = in.dims(i);
  if (!dims) return OkStatus();
  bool fits = dims->size() <= x.size();
  for (size_t k = 1; fits && k <= dims->size(); ++k) {
    const Dim &given = (*dims)[dims->size() - k], &wanted = x[x.size() - k];
    fits = !given.is_const() || !wanted.is_const() || given == Dim(1) || given == wanted;
  }
  if (fits) return OkStatus();
  return Status(Code::kInvalidModel, StrCat("input ", i, " is ", DimsToString(*dims),
                                            ", which does not broadcast to ", DimsToString(x)));
}

Status InferNormalization(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  const Dims* x = in.dims(0);
  TensorType statistics(StashType(in.node()));
  if (x) {
    ASSIGN_OR_RETURN(const int64_t axis, FirstAxis(in.node(), static_cast<int64_t>(x->size())));
    for (size_t i = 1; i < in.num_inputs(); ++i) RETURN_IF_ERROR(CheckBroadcastsTo(in, i, *x));
    statistics.dims = *x;
    for (auto i = static_cast<size_t>(axis); i < x->size(); ++i) (*statistics.dims)[i] = Dim(1);
  }
  in.SetOutput(0, in.type(0));
  in.SetOutput(1, statistics);
  in.SetOutput(2, std::move(statistics));
  return OkStatus();
}

/// Y = (X - mean) / sqrt(mean((X - mean)^2) + epsilon) * scale + shift; mean is 0 unless `centred`.
Status EvalNormalization(EvalContext& in, bool centred) {
  const Tensor& x = in.input(0);
  const Shape& shape = x.shape();
  ASSIGN_OR_RETURN(const int64_t axis, FirstAxis(in.node(), x.rank()));
  const int64_t rows = ProductOf(shape, 0, static_cast<size_t>(axis));
  const int64_t length = ProductOf(shape, static_cast<size_t>(axis), shape.size());
  const double epsilon = in.node().GetFloat("epsilon", 1e-5f);
  Shape reduced = shape;
  for (auto i = static_cast<size_t>(axis); i < reduced.size(); ++i) reduced[i] = 1;
  ASSIGN_OR_RETURN(Tensor mean_out, Tensor::Allocate(StashType(in.node()), reduced));
  ASSIGN_OR_RETURN(Tensor deviation_out, Tensor::Allocate(StashType(in.node()), reduced));
  std::vector<double> normal = ToDoubles(x);
  for (int64_t r = 0; r < rows; ++r) {
    double* row = normal.data() + r * length;
    double mean = 0, square = 0;
    for (int64_t i = 0; centred && i < length; ++i) mean += row[i];
    if (centred) mean /= static_cast<double>(length);
    for (int64_t i = 0; i < length; ++i) square += (row[i] - mean) * (row[i] - mean);
    const double inverse = 1 / std::sqrt(square / static_cast<double>(length) + epsilon);
    for (int64_t i = 0; i < length; ++i) row[i] = (row[i] - mean) * inverse;
    mean_out.SetDouble(r, mean);
    deviation_out.SetDouble(r, inverse);
  }
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), shape));
  const Tensor scale = in.input(1);
  const bool shifts = centred && in.has_input(2);
  const Tensor shift = shifts ? in.input(2) : Tensor::ScalarF32(0);
  for (const Tensor* operand : {&scale, &shift}) {
    ASSIGN_OR_RETURN(const Shape common, BroadcastShapes(operand->shape(), shape));
    if (common != shape) {
      return Status(Code::kInvalidArgument,
                    StrCat("shape ", ShapeToString(operand->shape()), " does not broadcast to ",
                           ShapeToString(shape)));
    }
  }
  ForEachPair(scale.shape(), shift.shape(), shape, [&](int64_t i, int64_t s, int64_t b) {
    y->SetDouble(i, normal[static_cast<size_t>(i)] * scale.GetDouble(s) + shift.GetDouble(b));
  });
  in.SetOutput(1, std::move(mean_out));
  in.SetOutput(2, std::move(deviation_out));
  return OkStatus();
}

OpDef& AddAttrs(OpDef& def) {
  return def.DefaultAttr("axis", AttrKind::kInt, int64_t{-1}, "The first of the normalised axes.")
      .DefaultAttr("epsilon", AttrKind::kFloat, 1e-5f, "Added to the mean square.")
      .DefaultAttr("stash_type", AttrKind::kInt, int64_t{1},
                   "ONNX number of the type of the statistics: 1 float32, 16 bfloat16.");
}

}  // namespace

OpDef LayerNormalizationOp() {
  OpDef def("LayerNormalization");
  def.Input("X").Input("Scale").OptionalInput("B").Output("Y").Output("Mean").Output("InvStdDev");
  return AddAttrs(def)
      .Doc(
          "Y = (X - Mean) * InvStdDev * Scale + B, with the mean and the inverse of sqrt(variance "
          "+ "
          "epsilon) over the axes from `axis` on; Scale and B broadcast to X.")
      .Infer(InferNormalization)
      .Reference([](EvalContext& in) { return EvalNormalization(in, true); });
}

OpDef RMSNormalizationOp() {
  OpDef def("RMSNormalization");
  def.Input("X").Input("scale").Output("Y");
  return AddAttrs(def)
      .Doc(
          "Y = X / sqrt(mean(X^2) + epsilon) * scale, the mean over the axes from `axis` on; scale "
          "broadcasts to X.")
      .Infer(InferNormalization)
      .Reference([](EvalContext& in) { return EvalNormalization(in, false); });
}

}  // namespace cairn
