// SPDX-License-Identifier: Apache-2.0
// Resize: resamples any axes by nearest, linear or cubic interpolation.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/elementwise.h"
#include "ops/nn/resize_axis.h"

namespace cairn {
namespace {

enum : size_t { kX = 0, kRoi = 1, kScales = 2, kSizes = 3 };

/// The axes that roi, scales and sizes speak of.
Result<std::vector<int64_t>> ReadAxes(const Node& node, int64_t rank) {
  const Ints axes = node.GetInts("axes");
  if (!axes.empty()) return NormalizeAxes(axes, rank);
  std::vector<int64_t> all(static_cast<size_t>(rank));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Status CheckCount(std::string_view what, size_t count, size_t expected) {
  if (count == expected) return OkStatus();
  return Status(Code::kInvalidModel,
                StrCat("'", what, "' has ", count, " elements, expected ", expected));
}

/// Absent and empty operands are the same.
bool Given(const InferContext& in, size_t i) {
  if (!in.has_input(i)) return false;
  const Dims* dims = in.dims(i);
  return !(dims && dims->size() == 1 && (*dims)[0] == Dim(0));
}
bool Given(const EvalContext& in, size_t i) {
  return in.has_input(i) && in.input(i).num_elements() > 0;
}

/// floor(in * scale), the product in single precision as in the standard's own inference.
int64_t ScaledSize(int64_t in, float scale) {
  return static_cast<int64_t>(std::floor(static_cast<float>(in) * scale));
}

/// As above for a symbol, when `scale` is a fraction with a small power of two below.
Dim ScaledDim(InferContext& context, const Dim& in, float scale) {
  if (in.is_const()) return Dim(ScaledSize(in.value(), scale));
  for (int64_t divisor = 1; divisor <= 1024; divisor *= 2) {
    const float multiple = scale * static_cast<float>(divisor);
    if (multiple == std::floor(multiple) && multiple <= 65536.f) {
      return Dim::FloorDiv(in * Dim(static_cast<int64_t>(multiple)), Dim(divisor));
    }
  }
  return context.NewSymbol();
}

Status CheckScale(float scale) {
  if (scale > 0 && scale <= 1e6f) return OkStatus();
  return Status(Code::kInvalidModel,
                StrCat("'scales' holds ", scale, ", expected positive numbers up to 1e6"));
}

/// Sizes after the aspect-ratio policy; `common` becomes the scale of all axes unless stretched.
std::vector<int64_t> FitSizes(AspectPolicy policy, const std::vector<int64_t>& sizes,
                              const std::vector<int64_t>& in, double& common) {
  if (policy == AspectPolicy::kStretch) return sizes;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const double scale = static_cast<double>(sizes[i]) / static_cast<double>(in[i]);
    const bool first = i == 0;
    common = first                                ? scale
             : policy == AspectPolicy::kNotLarger ? std::min(common, scale)
                                                  : std::max(common, scale);
  }
  std::vector<int64_t> fitted;
  for (const int64_t size : in) {
    fitted.push_back(static_cast<int64_t>(std::floor(common * static_cast<double>(size) + 0.5)));
  }
  return fitted;
}

Status InferScales(InferContext& in, const std::vector<int64_t>& axes, Dims& dims) {
  const Tensor* scales = in.constant(kScales);
  if (scales) {
    RETURN_IF_ERROR(CheckCount("scales", static_cast<size_t>(scales->num_elements()), axes.size()));
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    Dim& dim = dims[static_cast<size_t>(axes[i])];
    if (!scales) {
      dim = in.NewSymbol();
      continue;
    }
    const auto scale = static_cast<float>(scales->GetDouble(static_cast<int64_t>(i)));
    RETURN_IF_ERROR(CheckScale(scale));
    dim = ScaledDim(in, dim, scale);
  }
  return OkStatus();
}

Status InferSizes(InferContext& in, const ResizeMode& mode, const std::vector<int64_t>& axes,
                  Dims& dims) {
  auto sizes = in.Elements(kSizes);
  if (sizes) RETURN_IF_ERROR(CheckCount("sizes", sizes->size(), axes.size()));
  if (sizes && mode.policy != AspectPolicy::kStretch) {
    Dims chosen;
    for (const int64_t axis : axes) chosen.push_back(dims[static_cast<size_t>(axis)]);
    const auto known = ConstDims(*sizes), before = ConstDims(chosen);
    double common = 1;
    if (known && before) {
      const auto fitted = FitSizes(mode.policy, *known, *before, common);
      sizes = Dims(fitted.begin(), fitted.end());
    } else {
      sizes.reset();
    }
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    dims[static_cast<size_t>(axes[i])] = sizes ? (*sizes)[i] : in.NewSymbol();
  }
  return OkStatus();
}

Status InferResize(InferContext& in) {
  ASSIGN_OR_RETURN(const ResizeMode mode, ReadResizeMode(in.node()));
  if (Given(in, kScales) == Given(in, kSizes)) {
    return Status(Code::kInvalidModel, Given(in, kScales) ? "both 'scales' and 'sizes' are given"
                                                          : "'scales' or 'sizes' must be given");
  }
  TensorType type = in.type(kX);
  if (type.dims) {
    ASSIGN_OR_RETURN(const std::vector<int64_t> axes, ReadAxes(in.node(), type.rank()));
    RETURN_IF_ERROR(Given(in, kSizes) ? InferSizes(in, mode, axes, *type.dims)
                                      : InferScales(in, axes, *type.dims));
  }
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

Status SetSizes(const EvalContext& in, const ResizeMode& mode, const std::vector<int64_t>& axes,
                std::vector<ResizeAxis>& plan) {
  const std::vector<int64_t> wanted = ToInts(in.input(kSizes));
  RETURN_IF_ERROR(CheckCount("sizes", wanted.size(), axes.size()));
  std::vector<int64_t> before;
  for (const int64_t axis : axes) before.push_back(plan[static_cast<size_t>(axis)].in);
  double common = 0;
  const std::vector<int64_t> sizes = FitSizes(mode.policy, wanted, before, common);
  for (size_t i = 0; i < axes.size(); ++i) {
    ResizeAxis& axis = plan[static_cast<size_t>(axes[i])];
    axis.out = sizes[i];
    axis.scale = common > 0 ? common : static_cast<double>(axis.out) / static_cast<double>(axis.in);
    if (axis.out < 0) {
      return Status(Code::kInvalidArgument, StrCat("'sizes' holds ", axis.out));
    }
  }
  return OkStatus();
}

/// Every axis of the input with its output size, scale and region.
Result<std::vector<ResizeAxis>> PlanAxes(const EvalContext& in, const ResizeMode& mode) {
  const Tensor& x = in.input(kX);
  ASSIGN_OR_RETURN(const std::vector<int64_t> axes, ReadAxes(in.node(), x.rank()));
  std::vector<ResizeAxis> plan;
  for (const int64_t size : x.shape()) plan.push_back({size, size});
  if (Given(in, kSizes)) {
    RETURN_IF_ERROR(SetSizes(in, mode, axes, plan));
  } else {
    const std::vector<double> scales = ToDoubles(in.input(kScales));
    RETURN_IF_ERROR(CheckCount("scales", scales.size(), axes.size()));
    for (size_t i = 0; i < axes.size(); ++i) {
      RETURN_IF_ERROR(CheckScale(static_cast<float>(scales[i])));
      ResizeAxis& axis = plan[static_cast<size_t>(axes[i])];
      axis.scale = scales[i];
      axis.out = ScaledSize(axis.in, static_cast<float>(scales[i]));
    }
  }
  if (mode.coordinates == CoordinateMode::kTfCropAndResize) {
    if (!Given(in, kRoi)) return Status(Code::kInvalidArgument, "'roi' must be given");
    const std::vector<double> roi = ToDoubles(in.input(kRoi));
    RETURN_IF_ERROR(CheckCount("roi", roi.size(), 2 * axes.size()));
    for (size_t i = 0; i < axes.size(); ++i) {
      plan[static_cast<size_t>(axes[i])].begin = roi[i];
      plan[static_cast<size_t>(axes[i])].end = roi[i + axes.size()];
    }
  }
  for (const ResizeAxis& axis : plan) {
    if (axis.in == 0 && axis.out > 0) {
      return Status(Code::kInvalidArgument, "an axis without elements cannot be enlarged");
    }
  }
  return plan;
}

/// Copies elements, of any type.
Status EvalNearest(const Tensor& x, const ResizeMode& mode, const std::vector<ResizeAxis>& plan,
                   Tensor& y) {
  std::vector<std::vector<Resample>> samples;
  for (const ResizeAxis& axis : plan) samples.push_back(ResampleAxis(mode, axis));
  const Shape strides = RowMajorStrides(x.shape());
  Shape index(plan.size(), 0);
  for (int64_t i = 0; i < y.num_elements(); ++i) {
    int64_t from = 0;
    bool outside = false;
    for (size_t d = 0; d < plan.size(); ++d) {
      const Resample& sample = samples[d][static_cast<size_t>(index[d])];
      from += sample.positions[0] * strides[d];
      outside = outside || sample.extrapolated;
    }
    if (outside) {
      y.SetDouble(i, mode.extrapolation);
    } else {
      CopyElement(x, from, y, i);
    }
    NextIndex(y.shape(), index);
  }
  return OkStatus();
}

/// Resamples `values` of `shape` along one axis.
std::vector<double> ResampleAlong(const std::vector<double>& values, const Shape& shape,
                                  size_t axis, const std::vector<Resample>& samples,
                                  double extrapolation) {
  const int64_t outer = ProductOf(shape, 0, axis);
  const int64_t inner = ProductOf(shape, axis + 1, shape.size());
  const auto length = static_cast<int64_t>(samples.size());
  std::vector<double> result(static_cast<size_t>(outer * length * inner), 0.0);
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t k = 0; k < length; ++k) {
      const Resample& sample = samples[static_cast<size_t>(k)];
      double* to = result.data() + (o * length + k) * inner;
      if (sample.extrapolated) {
        std::fill(to, to + inner, extrapolation);
        continue;
      }
      for (size_t t = 0; t < sample.positions.size(); ++t) {
        if (sample.weights[t] == 0) continue;
        const double* from = values.data() + (o * shape[axis] + sample.positions[t]) * inner;
        for (int64_t i = 0; i < inner; ++i) to[i] += sample.weights[t] * from[i];
      }
    }
  }
  return result;
}

/// Extrapolated elements, known from every axis, overwrite what other axes made of them.
void Extrapolate(const std::vector<std::vector<Resample>>& samples, double value, Tensor& y) {
  Shape index(samples.size(), 0);
  for (int64_t i = 0; i < y.num_elements(); ++i) {
    for (size_t d = 0; d < samples.size(); ++d) {
      if (!samples[d].empty() && samples[d][static_cast<size_t>(index[d])].extrapolated) {
        y.SetDouble(i, value);
      }
    }
    NextIndex(y.shape(), index);
  }
}

Status EvalResize(EvalContext& in) {
  const Tensor& x = in.input(kX);
  ASSIGN_OR_RETURN(const ResizeMode mode, ReadResizeMode(in.node()));
  ASSIGN_OR_RETURN(const std::vector<ResizeAxis> plan, PlanAxes(in, mode));
  Shape shape;
  for (const ResizeAxis& axis : plan) shape.push_back(axis.out);
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), shape));
  if (y->num_elements() == 0) return OkStatus();
  if (mode.interpolation == Interpolation::kNearest) return EvalNearest(x, mode, plan, *y);
  std::vector<double> values = ToDoubles(x);
  Shape current = x.shape();
  std::vector<std::vector<Resample>> samples(plan.size());
  for (size_t d = 0; d < plan.size(); ++d) {
    if (plan[d].IsIdentity()) continue;
    samples[d] = ResampleAxis(mode, plan[d]);
    values = ResampleAlong(values, current, d, samples[d], mode.extrapolation);
    current[d] = plan[d].out;
  }
  StoreDoubles(values, *y);
  if (mode.coordinates == CoordinateMode::kTfCropAndResize) {
    Extrapolate(samples, mode.extrapolation, *y);
  }
  return OkStatus();
}

}  // namespace

OpDef ResizeOp() {
  return OpDef("Resize")
      .Input("X")
      .OptionalInput("roi")
      .OptionalInput("scales")
      .OptionalInput("sizes")
      .Output("Y")
      .DefaultAttr("antialias", AttrKind::kInt, int64_t{0},
                   "1: the kernels of linear and cubic are stretched where an axis shrinks.")
      .OptionalAttr("axes", AttrKind::kInts, "The axes that roi, scales and sizes speak of; all.")
      .DefaultAttr("coordinate_transformation_mode", AttrKind::kString, std::string("half_pixel"),
                   "How a place in the output becomes one in the input: half_pixel, "
                   "half_pixel_symmetric, pytorch_half_pixel, align_corners, asymmetric, "
                   "tf_crop_and_resize or tf_half_pixel_for_nn (operator set 11).")
      .DefaultAttr("cubic_coeff_a", AttrKind::kFloat, -0.75f, "The coefficient of mode cubic.")
      .DefaultAttr("exclude_outside", AttrKind::kInt, int64_t{0},
                   "1: elements outside the input get no weight; else the border is repeated.")
      .DefaultAttr("extrapolation_value", AttrKind::kFloat, 0.f,
                   "The value where tf_crop_and_resize leads out of the input.")
      .DefaultAttr("keep_aspect_ratio_policy", AttrKind::kString, std::string("stretch"),
                   "How sizes are met: stretch, not_larger or not_smaller.")
      .DefaultAttr("mode", AttrKind::kString, std::string("nearest"), "nearest, linear or cubic.")
      .DefaultAttr("nearest_mode", AttrKind::kString, std::string("round_prefer_floor"),
                   "round_prefer_floor, round_prefer_ceil, floor or ceil.")
      .Doc(
          "Resamples X to `sizes`, or to floor(size * scale) per axis; exactly one of both is "
          "given. The axes are resampled one after the other.")
      .Infer(InferResize)
      .Reference(EvalResize);
}

}  // namespace cairn
