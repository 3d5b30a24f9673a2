// SPDX-License-Identifier: Apache-2.0
// ConvTranspose: the transpose of Conv as a linear map (fractionally strided convolution).
#include <algorithm>

#include "ops/axes.h"
#include "ops/elements.h"
#include "ops/nn/convolution.h"

namespace cairn {
namespace {

/// Attributes; the window maps the operator's output (as its input) to the operator's input.
struct Transposed {
  Window window;
  Ints output_padding;
  Ints output_shape;  ///< Spatial; empty unless given.
};

Status CheckCount(const char* name, const Ints& values, size_t count) {
  if (values.size() == count) return OkStatus();
  return Status(Code::kInvalidModel,
                StrCat("'", name, "' has ", values.size(), " values, expected ", count));
}

Result<Transposed> ReadTransposed(const Node& node, Ints kernel) {
  Transposed result;
  const size_t rank = kernel.size();
  ASSIGN_OR_RETURN(result.window, ReadWindow(node, std::move(kernel)));
  result.output_padding = node.GetInts("output_padding");
  if (result.output_padding.empty()) result.output_padding.assign(rank, 0);
  RETURN_IF_ERROR(CheckCount("output_padding", result.output_padding, rank));
  for (const int64_t padding : result.output_padding) {
    if (padding < 0 || padding > INT32_MAX) {
      return Status(Code::kInvalidModel,
                    StrCat("'output_padding' holds ", padding, ", expected values from 0"));
    }
  }
  result.output_shape = node.GetInts("output_shape");
  // Old exporters give all dims.
  if (result.output_shape.size() == rank + 2) {
    result.output_shape.erase(result.output_shape.begin(), result.output_shape.begin() + 2);
  }
  if (!result.output_shape.empty()) {
    RETURN_IF_ERROR(CheckCount("output_shape", result.output_shape, rank));
  }
  return result;
}

bool IsSame(AutoPad pad) { return pad == AutoPad::kSameUpper || pad == AutoPad::kSameLower; }

/// Output size before any padding is cut off.
Dim FullDim(const Transposed& t, size_t axis, const Dim& in) {
  return Dim(t.window.strides[axis]) * (in - Dim(1)) +
         Dim(t.output_padding[axis] + t.window.extent(axis));
}

Result<Dim> OutputDim(const Transposed& t, size_t axis, const Dim& in) {
  if (!t.output_shape.empty()) return Dim(t.output_shape[axis]);
  if (IsSame(t.window.auto_pad)) return in * Dim(t.window.strides[axis]);
  const Dim out =
      FullDim(t, axis, in) - Dim(t.window.pads[axis] + t.window.pads[axis + t.window.rank()]);
  if (out.is_const() && out.value() < 0) {
    return Status(Code::kInvalidModel, StrCat("spatial axis ", axis, " of the output has ", out,
                                              " elements for ", in, " of the input"));
  }
  return out;
}

Result<Dims> SpatialDims(InferContext& in, const Dims& x, const Dims& w) {
  Ints kernel = in.node().GetInts("kernel_shape");
  if (kernel.empty()) {
    const auto known = ConstDims(Dims(w.begin() + 2, w.end()));
    Dims unknown;
    for (size_t i = 2; i < x.size() && !known; ++i) unknown.push_back(in.NewSymbol());
    if (!known) return unknown;
    kernel = *known;
  }
  RETURN_IF_ERROR(CheckCount("kernel_shape", kernel, x.size() - 2));
  ASSIGN_OR_RETURN(const Transposed t, ReadTransposed(in.node(), std::move(kernel)));
  Dims dims;
  for (size_t i = 0; i + 2 < x.size(); ++i) {
    ASSIGN_OR_RETURN(Dim dim, OutputDim(t, i, x[i + 2]));
    dims.push_back(std::move(dim));
  }
  return dims;
}

Status InferConvTranspose(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  RETURN_IF_ERROR(RequireSameDtype(in, 0, 1));
  if (in.has_input(2)) RETURN_IF_ERROR(RequireSameDtype(in, 0, 2));
  const Dims *x = in.dims(0), *w = in.dims(1);
  if (!x || !w) {
    in.SetOutput(0, TensorType(in.type(0).dtype));
    return OkStatus();
  }
  if (x->size() < 3 || w->size() != x->size()) {
    return Status(Code::kInvalidModel,
                  StrCat("the input is ", DimsToString(*x), ", the weights are ", DimsToString(*w),
                         ", expected equal ranks of at least 3"));
  }
  const Dim &channels = (*x)[1], &rows = (*w)[0];
  if (channels.is_const() && rows.is_const() && !(channels == rows)) {
    return Status(Code::kInvalidModel,
                  StrCat("the input has ", channels, " channels, the weights ", rows));
  }
  ASSIGN_OR_RETURN(const int64_t groups, ReadGroups(in.node()));
  if (rows.is_const() && rows.value() % groups != 0) {
    return Status(Code::kInvalidModel,
                  StrCat(rows, " input channels are not divisible by 'group' ", groups));
  }
  Dims dims = {(*x)[0], (*w)[1] * Dim(groups)};
  ASSIGN_OR_RETURN(const Dims spatial, SpatialDims(in, *x, *w));
  dims.insert(dims.end(), spatial.begin(), spatial.end());
  in.SetOutput(0, TensorType(in.type(0).dtype, std::move(dims)));
  return OkStatus();
}

/// The transposed geometry: `in` of an axis is the operator's output size, `out` its input size.
Result<ConvGeometry> Resolve(const Node& node, const Shape& x, const Shape& w) {
  if (x.size() < 3 || w.size() != x.size() || x[1] != w[0]) {
    return Status(Code::kInvalidArgument, StrCat("input ", ShapeToString(x), " and weights ",
                                                 ShapeToString(w), " do not fit"));
  }
  ConvGeometry geometry;
  ASSIGN_OR_RETURN(geometry.groups, ReadGroups(node));
  geometry.batch = x[0];
  geometry.in_channels = w[1] * geometry.groups;
  geometry.out_channels = x[1];
  const Ints kernel(w.begin() + 2, w.end());
  const Ints stated = node.GetInts("kernel_shape");
  if ((!stated.empty() && stated != kernel) || x[1] % geometry.groups != 0) {
    return Status(Code::kInvalidArgument,
                  StrCat("weights ", ShapeToString(w), " do not fit 'kernel_shape' and 'group'"));
  }
  ASSIGN_OR_RETURN(const Transposed t, ReadTransposed(node, kernel));
  for (size_t i = 0; i < kernel.size(); ++i) {
    ASSIGN_OR_RETURN(const Dim out, OutputDim(t, i, x[i + 2]));
    WindowAxis axis{out.value(),           x[i + 2],         kernel[i], t.window.strides[i],
                    t.window.dilations[i], t.window.pads[i], 0};
    if (!t.output_shape.empty() || IsSame(t.window.auto_pad)) {
      const int64_t total = std::max<int64_t>(0, FullDim(t, i, x[i + 2]).value() - out.value());
      const bool end_first = t.window.auto_pad == AutoPad::kSameUpper;
      axis.pad_begin = end_first ? total / 2 : total - total / 2;
    }
    geometry.axes.push_back(axis);
  }
  return geometry;
}

/// y += weight * x for one kernel position, y being read through the window.
void ScatterTap(const std::vector<WindowAxis>& axes, const std::vector<TapRange>& ranges,
                size_t axis, double weight, const double* x, double* y) {
  const WindowAxis& a = axes[axis];
  const TapRange& r = ranges[axis];
  int64_t x_stride = 1, y_stride = 1;
  for (size_t i = axis + 1; i < axes.size(); ++i) {
    x_stride *= axes[i].out;
    y_stride *= axes[i].in;
  }
  for (int64_t o = r.begin; o < r.end; ++o) {
    const int64_t place = o * a.stride + r.shift;
    if (axis + 1 == axes.size()) {
      y[place] += weight * x[o];
    } else {
      ScatterTap(axes, ranges, axis + 1, weight, x + o * x_stride, y + place * y_stride);
    }
  }
}

void ScatterPlane(const ConvGeometry& geometry, const double* kernel, const double* x, double* y) {
  Shape sizes;
  for (const WindowAxis& axis : geometry.axes) sizes.push_back(axis.kernel);
  Shape position(sizes.size(), 0);
  std::vector<TapRange> ranges(sizes.size());
  do {
    for (size_t i = 0; i < sizes.size(); ++i) {
      ranges[i] = PositionsOfTap(geometry.axes[i], position[i]);
    }
    ScatterTap(geometry.axes, ranges, 0, *kernel++, x, y);
  } while (NextIndex(sizes, position));
}

Status EvalConvTranspose(EvalContext& in) {
  const Tensor &x = in.input(0), &w = in.input(1);
  ASSIGN_OR_RETURN(const ConvGeometry g, Resolve(in.node(), x.shape(), w.shape()));
  Shape shape = {g.batch, g.in_channels};
  for (const WindowAxis& axis : g.axes) shape.push_back(axis.in);
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), shape));
  const std::vector<double> xs = ToDoubles(x), ws = ToDoubles(w);
  std::vector<double> bias(static_cast<size_t>(g.in_channels), 0.0);
  if (in.has_input(2)) bias = ToDoubles(in.input(2));
  if (static_cast<int64_t>(bias.size()) != g.in_channels) {
    return Status(Code::kInvalidArgument,
                  StrCat("the bias has ", bias.size(), " elements, expected ", g.in_channels));
  }
  const int64_t x_plane = g.out_plane(), y_plane = g.in_plane(), kernel_plane = g.kernel_plane();
  const int64_t x_group = g.out_channels / g.groups, y_group = g.in_channels / g.groups;
  std::vector<double> plane(static_cast<size_t>(y_plane));
  for (int64_t n = 0; n < g.batch; ++n) {
    for (int64_t m = 0; m < g.in_channels; ++m) {
      std::fill(plane.begin(), plane.end(), 0.0);
      for (int64_t i = 0; i < x_group; ++i) {
        const int64_t c = m / y_group * x_group + i;
        ScatterPlane(g, ws.data() + (c * y_group + m % y_group) * kernel_plane,
                     xs.data() + (n * g.out_channels + c) * x_plane, plane.data());
      }
      const int64_t first = (n * g.in_channels + m) * y_plane;
      for (int64_t i = 0; i < y_plane; ++i) {
        y->SetDouble(first + i, plane[static_cast<size_t>(i)] + bias[static_cast<size_t>(m)]);
      }
    }
  }
  return OkStatus();
}

}  // namespace

OpDef ConvTransposeOp() {
  OpDef def("ConvTranspose");
  def.Input("X").Input("W").OptionalInput("B").Output("Y");
  return AddWindowAttrs(def)
      .DefaultAttr("group", AttrKind::kInt, int64_t{1},
                   "Number of groups of input and output channels.")
      .OptionalAttr("kernel_shape", AttrKind::kInts, "Sizes of the kernel; those of W when absent.")
      .OptionalAttr("output_padding", AttrKind::kInts,
                    "Elements added at the end of each spatial axis of the output.")
      .OptionalAttr(
          "output_shape", AttrKind::kInts,
          "Spatial sizes of the output; padding follows from them, the odd element at the "
          "begin unless auto_pad is SAME_UPPER.")
      .Doc(
          "Every element of X [N, C, spatial...] adds its multiple of the kernel W [C, M / group, "
          "kernel...] to Y at stride distance; pads are cut off; plus B [M]. Size: stride * (in - "
          "1) "
          "+ output_padding + dilation * (kernel - 1) + 1 - pads; with SAME: in * stride.")
      .Infer(InferConvTranspose)
      .Reference(EvalConvTranspose);
}

}  // namespace cairn
