// SPDX-License-Identifier: Apache-2.0
// ConvInteger, QLinearConv: convolutions of 8-bit integers.
#include "ops/elements.h"
#include "ops/nn/convolution.h"
#include "ops/quant/rounding.h"

namespace cairn {
namespace {

/// Adds the attributes of a convolution.
OpDef& AddConvAttrs(OpDef& def) {
  return AddWindowAttrs(def)
      .DefaultAttr("group", AttrKind::kInt, int64_t{1}, "Number of groups of channels.")
      .OptionalAttr("kernel_shape", AttrKind::kInts,
                    "Sizes of the kernel; those of w when absent.");
}

/// Elements minus their zero point (one, or one per slice of the first axis).
Result<std::vector<double>> Centred(const Tensor& tensor, const Tensor& zero_point) {
  std::vector<double> values = ToDoubles(tensor);
  if (!zero_point.defined() || values.empty()) return values;
  const int64_t count = zero_point.num_elements();
  if (count != 1 && count != tensor.shape()[0]) {
    return Status(Code::kInvalidArgument,
                  StrCat("the zero point has ", count, " elements for a tensor ",
                         ShapeToString(tensor.shape())));
  }
  const int64_t slice = tensor.num_elements() / count;
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] -= zero_point.GetDouble(static_cast<int64_t>(i) / slice);
  }
  return values;
}

Tensor InputOrNone(const EvalContext& in, size_t i) {
  return in.has_input(i) ? in.input(i) : Tensor();
}

Status InferConvInteger(InferContext& in) { return InferConvOutput(in, 0, 1, ElementType::kI32); }

Status EvalConvInteger(EvalContext& in) {
  const Tensor &x = in.input(0), &w = in.input(1);
  ASSIGN_OR_RETURN(const ConvGeometry geometry, ResolveConv(in.node(), x.shape(), w.shape()));
  const Tensor x_zero = InputOrNone(in, 2);
  if (x_zero.defined() && x_zero.num_elements() != 1) {
    return Status(Code::kUnsupported, "the zero point of x has more than one element");
  }
  ASSIGN_OR_RETURN(const std::vector<double> xs, Centred(x, x_zero));
  ASSIGN_OR_RETURN(const std::vector<double> ws, Centred(w, InputOrNone(in, 3)));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, ElementType::kI32, geometry.OutputShape()));
  Convolve(geometry, xs, ws, [&](int64_t n, int64_t m, const std::vector<double>& plane) {
    const int64_t size = static_cast<int64_t>(plane.size());
    for (int64_t i = 0; i < size; ++i) {
      // Sums in double are exact; accumulation in 32 bits wraps.
      y->SetInt((n * geometry.out_channels + m) * size + i,
                static_cast<int64_t>(plane[static_cast<size_t>(i)]));
    }
  });
  return OkStatus();
}

enum : size_t { kX, kXScale, kXZero, kW, kWScale, kWZero, kYScale, kYZero, kBias };

Status InferQLinearConv(InferContext& in) {
  RETURN_IF_ERROR(RequireSameDtype(in, kX, kXZero));
  RETURN_IF_ERROR(RequireSameDtype(in, kW, kWZero));
  return InferConvOutput(in, kX, kW, in.type(kYZero).dtype);
}

/// Element `channel` of a scale that is one for all channels or one for each.
double PerChannel(const Tensor& scale, int64_t channel) {
  return scale.GetDouble(scale.num_elements() == 1 ? 0 : channel);
}

Status CheckParameters(const EvalContext& in, int64_t channels) {
  for (const size_t i : {kXScale, kXZero, kYScale, kYZero}) {
    if (in.input(i).num_elements() != 1) {
      return Status(Code::kUnsupported, StrCat("input ", i, " has ", in.input(i).num_elements(),
                                               " elements, expected 1"));
    }
  }
  const int64_t scales = in.input(kWScale).num_elements();
  if (scales != 1 && scales != channels) {
    return Status(Code::kInvalidArgument,
                  StrCat("the scale of w has ", scales, " elements, expected 1 or ", channels));
  }
  if (in.has_input(kBias) && in.input(kBias).num_elements() != channels) {
    return Status(Code::kInvalidArgument, StrCat("the bias has ", in.input(kBias).num_elements(),
                                                 " elements, expected ", channels));
  }
  return OkStatus();
}

Status EvalQLinearConv(EvalContext& in) {
  const Tensor &x = in.input(kX), &w = in.input(kW);
  ASSIGN_OR_RETURN(const ConvGeometry geometry, ResolveConv(in.node(), x.shape(), w.shape()));
  RETURN_IF_ERROR(CheckParameters(in, geometry.out_channels));
  ASSIGN_OR_RETURN(const std::vector<double> xs, Centred(x, in.input(kXZero)));
  ASSIGN_OR_RETURN(const std::vector<double> ws, Centred(w, in.input(kWZero)));
  const Tensor bias = InputOrNone(in, kBias);
  const double x_scale = in.input(kXScale).GetDouble(0), y_scale = in.input(kYScale).GetDouble(0);
  const double y_zero = in.input(kYZero).GetDouble(0);
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, in.input(kYZero).dtype(), geometry.OutputShape()));
  Convolve(geometry, xs, ws, [&](int64_t n, int64_t m, const std::vector<double>& plane) {
    const int64_t size = static_cast<int64_t>(plane.size());
    const double start = bias.defined() ? bias.GetDouble(m) : 0;
    const double scale = x_scale * PerChannel(in.input(kWScale), m) / y_scale;
    for (int64_t i = 0; i < size; ++i) {
      StoreQuantized((plane[static_cast<size_t>(i)] + start) * scale, y_zero, true,
                     (n * geometry.out_channels + m) * size + i, *y);
    }
  });
  return OkStatus();
}

}  // namespace

OpDef ConvIntegerOp() {
  OpDef def("ConvInteger");
  def.Input("x").Input("w").OptionalInput("x_zero_point").OptionalInput("w_zero_point").Output("y");
  return AddConvAttrs(def)
      .Doc(
          "Conv of x - x_zero_point with w - w_zero_point in 32-bit integers. The zero point of w "
          "is "
          "one for all or one for each output channel.")
      .Infer(InferConvInteger)
      .Reference(EvalConvInteger);
}

OpDef QLinearConvOp() {
  OpDef def("QLinearConv");
  def.Input("x").Input("x_scale").Input("x_zero_point");
  def.Input("w").Input("w_scale").Input("w_zero_point");
  def.Input("y_scale").Input("y_zero_point").OptionalInput("B").Output("y");
  return AddConvAttrs(def)
      .Doc(
          "y = saturate(round((Conv(x - x_zero_point, w - w_zero_point) + B) * x_scale * w_scale / "
          "y_scale) + y_zero_point), halves to even. Scale and zero point of w are one for all or "
          "one "
          "for each output channel.")
      .Infer(InferQLinearConv)
      .Reference(EvalQLinearConv);
}

}  // namespace cairn
