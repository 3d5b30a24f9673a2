// SPDX-License-Identifier: Apache-2.0
// NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss: how far scores are from class labels.
#include <cmath>

#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

const char kReductionDoc[] = "none, sum, or mean (weighted).";
const char kIgnoreDoc[] = "Labels of this value count nothing.";

Status InferLoss(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  RETURN_IF_ERROR(RequireIndexType(in, 1));
  if (in.has_input(2)) {
    RETURN_IF_ERROR(RequireSameDtype(in, 0, 2));
    RETURN_IF_ERROR(RequireRank(in, 2, 1));
  }
  const std::string reduction = in.node().GetString("reduction", "mean");
  if (reduction != "none" && reduction != "sum" && reduction != "mean") {
    return Status(Code::kInvalidModel,
                  StrCat("reduction is '", reduction, "', expected none, sum or mean"));
  }
  if (in.dims(0) && in.dims(1) && in.dims(0)->size() != in.dims(1)->size() + 1) {
    return Status(Code::kInvalidModel, StrCat("scores ", in.type(0).ToString(), " and labels ",
                                              in.type(1).ToString(), " do not fit"));
  }
  TensorType type(in.type(0).dtype);
  if (reduction != "none") {
    type.dims = Dims();
  } else {
    type.dims = in.type(1).dims;
  }
  in.SetOutput(0, std::move(type));
  in.SetOutput(1, in.type(0));
  return OkStatus();
}

/// The scores [N, C, D] and the labels [N, D] of them.
struct Extents {
  int64_t batch, classes, inner;
};

Result<Extents> ExtentsOf(const EvalContext& in) {
  const Tensor &x = in.input(0), &labels = in.input(1);
  bool fits = x.rank() >= 2 && labels.rank() == x.rank() - 1;
  if (fits) {
    Shape expected = x.shape();
    expected.erase(expected.begin() + 1);
    fits = labels.shape() == expected;
  }
  if (!fits || (in.has_input(2) && in.input(2).num_elements() != x.shape()[1])) {
    return Status(Code::kInvalidArgument, StrCat("scores ", x.TypeToString(), " and labels ",
                                                 labels.TypeToString(), " do not fit"));
  }
  return Extents{x.shape()[0], x.shape()[1], ProductOf(x.shape(), 2, x.shape().size())};
}

/// The loss of log probabilities by `reduction`; output 0.
Status ReduceLoss(EvalContext& in, const Extents& e, const std::vector<double>& log_prob) {
  const Tensor& labels = in.input(1);
  const auto* ignored = in.node().Get<int64_t>("ignore_index");
  const std::string reduction = in.node().GetString("reduction", "mean");
  std::vector<double> losses(static_cast<size_t>(labels.num_elements()), 0);
  double sum = 0, weights = 0;
  for (int64_t i = 0; i < labels.num_elements(); ++i) {
    const int64_t label = labels.GetInt(i);
    if (ignored && label == *ignored) continue;
    if (label < 0 || label >= e.classes) {
      return Status(Code::kInvalidArgument,
                    StrCat("label ", label, " at ", i, " is none of ", e.classes, " classes"));
    }
    const double weight = in.has_input(2) ? in.input(2).GetDouble(label) : 1;
    const int64_t at = (i / e.inner * e.classes + label) * e.inner + i % e.inner;
    losses[static_cast<size_t>(i)] = -weight * log_prob[static_cast<size_t>(at)];
    sum += losses[static_cast<size_t>(i)];
    weights += weight;
  }
  const bool none = reduction == "none";
  ASSIGN_OR_RETURN(Tensor * y,
                   in.NewOutput(0, in.input(0).dtype(), none ? labels.shape() : Shape()));
  if (none) {
    StoreDoubles(losses, *y);
  } else {
    y->SetDouble(0, reduction == "sum" ? sum : sum / weights);
  }
  return OkStatus();
}

Status EvalNegativeLogLikelihoodLoss(EvalContext& in) {
  ASSIGN_OR_RETURN(const Extents e, ExtentsOf(in));
  return ReduceLoss(in, e, ToDoubles(in.input(0)));
}

/// Logarithms of the softmax along axis 1.
void LogSoftmax(const Extents& e, std::vector<double>& x) {
  for (int64_t line = 0; line < e.batch * e.inner; ++line) {
    const int64_t begin = line / e.inner * e.classes * e.inner + line % e.inner;
    const auto at = [&](int64_t c) -> double& { return x[static_cast<size_t>(begin + c * e.inner)]; };
    double largest = -HUGE_VAL, sum = 0;
    for (int64_t c = 0; c < e.classes; ++c) largest = std::fmax(largest, at(c));
    for (int64_t c = 0; c < e.classes; ++c) sum += std::exp(at(c) - largest);
    const double shift = largest + std::log(sum);
    for (int64_t c = 0; c < e.classes; ++c) at(c) -= shift;
  }
}

Status EvalSoftmaxCrossEntropyLoss(EvalContext& in) {
  ASSIGN_OR_RETURN(const Extents e, ExtentsOf(in));
  std::vector<double> log_prob = ToDoubles(in.input(0));
  LogSoftmax(e, log_prob);
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(1, in.input(0).dtype(), in.input(0).shape()));
  StoreDoubles(log_prob, *y);
  return ReduceLoss(in, e, log_prob);
}

OpDef LossOp(const char* name, const char* scores, const char* labels) {
  return std::move(OpDef(name)
                       .Input(scores)
                       .Input(labels)
                       .OptionalInput("weight")
                       .OptionalAttr("ignore_index", AttrKind::kInt, kIgnoreDoc)
                       .DefaultAttr("reduction", AttrKind::kString, std::string("mean"),
                                    kReductionDoc)
                       .Infer(InferLoss));
}

}  // namespace

OpDef NegativeLogLikelihoodLossOp() {
  return LossOp("NegativeLogLikelihoodLoss", "input", "target")
      .Output("loss")
      .Doc("-weight[target] input[n, target, d...] for log probabilities [N, C, d...] and labels "
           "[N, d...].")
      .Reference(EvalNegativeLogLikelihoodLoss);
}

OpDef SoftmaxCrossEntropyLossOp() {
  return LossOp("SoftmaxCrossEntropyLoss", "scores", "labels")
      .Output("output")
      .Output("log_prob")
      .Doc("NegativeLogLikelihoodLoss of log_prob, the logarithm of the softmax of the scores along "
           "axis 1.")
      .Reference(EvalSoftmaxCrossEntropyLoss);
}

}  // namespace cairn
