// SPDX-License-Identifier: Apache-2.0
// RandomNormal, RandomUniform and their Like forms, Bernoulli, Multinomial.
#include <algorithm>
#include <cmath>

#include "ops/elementwise.h"
#include "ops/random/random.h"

namespace cairn {
namespace {

const char kSeedDoc[] = "Equal seeds give equal numbers; without one every run differs.";

ElementType TypeOr(const Node& node, ElementType fallback) {
  const auto* type = node.Get<TensorType>("dtype");
  return type ? type->dtype : fallback;
}

Status RequireFloatType(ElementType dtype) {
  if (IsFloat(dtype) || dtype == ElementType::kUndefined) return OkStatus();
  return Status(Code::kInvalidModel, StrCat("dtype is ", dtype, ", expected a float"));
}

Status InferShaped(InferContext& in) {
  const ElementType dtype = TypeOr(in.node(), ElementType::kF32);
  RETURN_IF_ERROR(RequireFloatType(dtype));
  Dims dims;
  for (const int64_t dim : in.node().GetInts("shape")) {
    if (dim < 0) return Status(Code::kInvalidModel, StrCat("'shape' has ", dim));
    dims.emplace_back(dim);
  }
  in.SetOutput(0, TensorType(dtype, std::move(dims)));
  return OkStatus();
}

Status InferLike(InferContext& in) {
  TensorType type = in.type(0);
  type.dtype = TypeOr(in.node(), type.dtype);
  RETURN_IF_ERROR(RequireFloatType(type.dtype));
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

/// Fills output 0 of `dtype` and `shape` with what `next` gives.
template <class Next>
Status Fill(EvalContext& in, ElementType dtype, const Shape& shape, const Next& next) {
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, dtype, shape));
  RandomBits bits = RandomBits::ForNode(in.node());
  for (int64_t i = 0; i < y->num_elements(); ++i) y->SetDouble(i, next(bits, i));
  return OkStatus();
}

Status FillNormal(EvalContext& in, ElementType dtype, const Shape& shape) {
  const double mean = in.node().GetFloat("mean", 0), scale = in.node().GetFloat("scale", 1);
  return Fill(in, dtype, shape, [&](RandomBits& bits, int64_t) {
    return mean + scale * bits.NextNormal();
  });
}

Status FillUniform(EvalContext& in, ElementType dtype, const Shape& shape) {
  const double low = in.node().GetFloat("low", 0), high = in.node().GetFloat("high", 1);
  return Fill(in, dtype, shape, [&](RandomBits& bits, int64_t) {
    return low + (high - low) * bits.NextUniform();
  });
}

template <auto FillWith>
Status EvalShaped(EvalContext& in) {
  return FillWith(in, TypeOr(in.node(), ElementType::kF32), in.node().GetInts("shape"));
}

template <auto FillWith>
Status EvalLike(EvalContext& in) {
  return FillWith(in, TypeOr(in.node(), in.input(0).dtype()), in.input(0).shape());
}

OpDef WithNormal(OpDef op) {
  return std::move(
      op.DefaultAttr("mean", AttrKind::kFloat, 0.0f, "Mean of the distribution.")
          .DefaultAttr("scale", AttrKind::kFloat, 1.0f, "Standard deviation.")
          .OptionalAttr("seed", AttrKind::kFloat, kSeedDoc)
          .OptionalAttr("dtype", AttrKind::kType, "Element type of the output.")
          // Not kPure: two nodes without a seed differ, and no run may be folded into a constant.
          .Traits(0));
}

OpDef WithUniform(OpDef op) {
  return std::move(op.DefaultAttr("low", AttrKind::kFloat, 0.0f, "Lower bound, included.")
                       .DefaultAttr("high", AttrKind::kFloat, 1.0f, "Upper bound.")
                       .OptionalAttr("seed", AttrKind::kFloat, kSeedDoc)
                       .OptionalAttr("dtype", AttrKind::kType, "Element type of the output.")
                       .Traits(0));
}

Status InferBernoulli(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  TensorType type = in.type(0);
  type.dtype = TypeOr(in.node(), type.dtype);
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

Status EvalBernoulli(EvalContext& in) {
  const Tensor& p = in.input(0);
  return Fill(in, TypeOr(in.node(), p.dtype()), p.shape(), [&](RandomBits& bits, int64_t i) {
    return bits.NextUniform() < p.GetDouble(i) ? 1.0 : 0.0;
  });
}

Status InferMultinomial(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  RETURN_IF_ERROR(RequireRank(in, 0, 2));
  const int64_t samples = in.node().GetInt("sample_size", 1);
  const ElementType dtype = TypeOr(in.node(), ElementType::kI32);
  if (samples < 0) return Status(Code::kInvalidModel, StrCat("sample_size is ", samples));
  if (dtype != ElementType::kI32 && dtype != ElementType::kI64) {
    return Status(Code::kInvalidModel, StrCat("dtype is ", dtype, ", expected i32 or i64"));
  }
  TensorType type(dtype);
  if (in.dims(0)) type.dims = Dims{(*in.dims(0))[0], Dim(samples)};
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

Status EvalMultinomial(EvalContext& in) {
  const Tensor& logits = in.input(0);
  const int64_t batch = logits.shape()[0], classes = logits.shape()[1];
  const int64_t samples = in.node().GetInt("sample_size", 1);
  if (classes == 0 && batch * samples > 0) {
    return Status(Code::kInvalidArgument, "there is no class to draw from");
  }
  ASSIGN_OR_RETURN(Tensor * y,
                   in.NewOutput(0, TypeOr(in.node(), ElementType::kI32), {batch, samples}));
  RandomBits bits = RandomBits::ForNode(in.node());
  for (int64_t b = 0; b < batch; ++b) {
    double largest = -HUGE_VAL;
    for (int64_t c = 0; c < classes; ++c) {
      largest = std::max(largest, logits.GetDouble(b * classes + c));
    }
    std::vector<double> sums;
    double sum = 0;
    for (int64_t c = 0; c < classes; ++c) {
      sums.push_back(sum += std::exp(logits.GetDouble(b * classes + c) - largest));
    }
    for (int64_t s = 0; s < samples; ++s) {
      const auto at = std::upper_bound(sums.begin(), sums.end(), bits.NextUniform() * sum);
      y->SetInt(b * samples + s, std::min<int64_t>(at - sums.begin(), classes - 1));
    }
  }
  return OkStatus();
}

}  // namespace

OpDef RandomNormalOp() {
  return WithNormal(OpDef("RandomNormal")
                        .Output("output")
                        .Attr("shape", AttrKind::kInts, "Dims of the output.")
                        .Doc("Normally distributed numbers.")
                        .Infer(InferShaped)
                        .Reference(EvalShaped<FillNormal>));
}

OpDef RandomNormalLikeOp() {
  return WithNormal(OpDef("RandomNormalLike")
                        .Input("input")
                        .Output("output")
                        .Doc("Normally distributed numbers in the shape of the input.")
                        .Infer(InferLike)
                        .Reference(EvalLike<FillNormal>));
}

OpDef RandomUniformOp() {
  return WithUniform(OpDef("RandomUniform")
                         .Output("output")
                         .Attr("shape", AttrKind::kInts, "Dims of the output.")
                         .Doc("Uniformly distributed numbers.")
                         .Infer(InferShaped)
                         .Reference(EvalShaped<FillUniform>));
}

OpDef RandomUniformLikeOp() {
  return WithUniform(OpDef("RandomUniformLike")
                         .Input("input")
                         .Output("output")
                         .Doc("Uniformly distributed numbers in the shape of the input.")
                         .Infer(InferLike)
                         .Reference(EvalLike<FillUniform>));
}

OpDef BernoulliOp() {
  return OpDef("Bernoulli")
      .Input("input")
      .Output("output")
      .OptionalAttr("dtype", AttrKind::kType, "Element type of the output.")
      .OptionalAttr("seed", AttrKind::kFloat, kSeedDoc)
      .Doc("1 with the probability that the input says, else 0.")
      .Infer(InferBernoulli)
      .Reference(EvalBernoulli)
      .Traits(0);
}

OpDef MultinomialOp() {
  return OpDef("Multinomial")
      .Input("input")
      .Output("output")
      .OptionalAttr("dtype", AttrKind::kType, "i32 (when absent) or i64.")
      .DefaultAttr("sample_size", AttrKind::kInt, int64_t{1}, "Samples of each row.")
      .OptionalAttr("seed", AttrKind::kFloat, kSeedDoc)
      .Doc("Class numbers drawn by the unnormalised log probabilities [batch, classes].")
      .Infer(InferMultinomial)
      .Reference(EvalMultinomial)
      .Traits(0);
}

}  // namespace cairn
