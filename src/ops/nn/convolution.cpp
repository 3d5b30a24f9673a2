// SPDX-License-Identifier: Apache-2.0
// The arithmetic of convolutions, shared by the float, integer and quantized operators.
#include "ops/nn/convolution.h"

#include <algorithm>

#include "ops/axes.h"

namespace cairn {
namespace {

/// plane += weight * x, for one kernel position given by its ranges.
void AddTap(const std::vector<WindowAxis>& axes, const std::vector<TapRange>& ranges, size_t axis,
            double weight, const double* x, double* plane) {
  const WindowAxis& a = axes[axis];
  const TapRange& r = ranges[axis];
  if (axis + 1 == axes.size()) {
    if (a.stride == 1) {
      for (int64_t o = r.begin; o < r.end; ++o) plane[o] += weight * x[o + r.shift];
    } else {
      for (int64_t o = r.begin; o < r.end; ++o) plane[o] += weight * x[o * a.stride + r.shift];
    }
    return;
  }
  int64_t in_stride = 1, out_stride = 1;
  for (size_t i = axis + 1; i < axes.size(); ++i) {
    in_stride *= axes[i].in;
    out_stride *= axes[i].out;
  }
  for (int64_t o = r.begin; o < r.end; ++o) {
    AddTap(axes, ranges, axis + 1, weight, x + (o * a.stride + r.shift) * in_stride,
           plane + o * out_stride);
  }
}

/// plane += the convolution of one input plane with one kernel plane.
void AddPlane(const std::vector<WindowAxis>& axes, const double* kernel, const double* x,
              std::vector<double>& plane) {
  Shape sizes;
  for (const WindowAxis& axis : axes) sizes.push_back(axis.kernel);
  Shape position(axes.size(), 0);
  std::vector<TapRange> ranges(axes.size());
  do {
    for (size_t i = 0; i < axes.size(); ++i) ranges[i] = PositionsOfTap(axes[i], position[i]);
    AddTap(axes, ranges, 0, *kernel++, x, plane.data());
  } while (NextIndex(sizes, position));
}

Status CheckChannels(const Dim& channels, const Dim& per_group, const Dim& out, int64_t groups) {
  const Dim expected = per_group * Dim(groups);
  if (channels.is_const() && expected.is_const() && !(channels == expected)) {
    return Status(Code::kInvalidModel, StrCat("the input has ", channels, " channels, the weights ",
                                              per_group, " for each of ", groups, " groups"));
  }
  if (out.is_const() && out.value() % groups != 0) {
    return Status(Code::kInvalidModel,
                  StrCat(out, " output channels are not divisible by 'group' ", groups));
  }
  return OkStatus();
}

}  // namespace

Result<int64_t> ReadGroups(const Node& node) {
  const int64_t groups = node.GetInt("group", 1);
  if (groups < 1) {
    return Status(Code::kInvalidModel, StrCat("'group' is ", groups, ", expected at least 1"));
  }
  return groups;
}

namespace {

Status CheckKernel(const Dims& weights, const Ints& kernel) {
  if (kernel.size() + 2 != weights.size()) {
    return Status(Code::kInvalidModel, StrCat("'kernel_shape' has ", kernel.size(),
                                              " values, the weights are ", DimsToString(weights)));
  }
  for (size_t i = 0; i < kernel.size(); ++i) {
    if (weights[i + 2].is_const() && !(weights[i + 2] == Dim(kernel[i]))) {
      return Status(Code::kInvalidModel, StrCat("'kernel_shape' [", StrJoin(kernel),
                                                "] does not fit weights ", DimsToString(weights)));
    }
  }
  return OkStatus();
}

/// The spatial output dims; new symbols while the kernel is not known.
Result<Dims> SpatialDims(InferContext& in, const Dims& x, const Dims& w) {
  Ints kernel = in.node().GetInts("kernel_shape");
  if (kernel.empty()) {
    const auto known = ConstDims(Dims(w.begin() + 2, w.end()));
    if (!known) {
      Dims unknown;
      for (size_t i = 2; i < x.size(); ++i) unknown.push_back(in.NewSymbol());
      return unknown;
    }
    kernel = *known;
  }
  RETURN_IF_ERROR(CheckKernel(w, kernel));
  ASSIGN_OR_RETURN(const Window window, ReadWindow(in.node(), std::move(kernel)));
  return WindowOutputDims(window, std::span(x).subspan(2));
}

}  // namespace

int64_t ConvGeometry::in_plane() const {
  int64_t size = 1;
  for (const WindowAxis& axis : axes) size *= axis.in;
  return size;
}

int64_t ConvGeometry::out_plane() const {
  int64_t size = 1;
  for (const WindowAxis& axis : axes) size *= axis.out;
  return size;
}

int64_t ConvGeometry::kernel_plane() const {
  int64_t size = 1;
  for (const WindowAxis& axis : axes) size *= axis.kernel;
  return size;
}

Shape ConvGeometry::OutputShape() const {
  Shape shape = {batch, out_channels};
  for (const WindowAxis& axis : axes) shape.push_back(axis.out);
  return shape;
}

Status InferConvOutput(InferContext& in, size_t x, size_t w, ElementType dtype) {
  const Dims* image = in.dims(x);
  const Dims* weights = in.dims(w);
  if (!image || !weights) {
    in.SetOutput(0, TensorType(dtype));
    return OkStatus();
  }
  if (image->size() < 3 || weights->size() != image->size()) {
    return Status(Code::kInvalidModel,
                  StrCat("the input is ", DimsToString(*image), ", the weights are ",
                         DimsToString(*weights), ", expected equal ranks of at least 3"));
  }
  ASSIGN_OR_RETURN(const int64_t groups, ReadGroups(in.node()));
  RETURN_IF_ERROR(CheckChannels((*image)[1], (*weights)[1], (*weights)[0], groups));
  ASSIGN_OR_RETURN(const Dims spatial, SpatialDims(in, *image, *weights));
  Dims dims = {(*image)[0], (*weights)[0]};
  dims.insert(dims.end(), spatial.begin(), spatial.end());
  in.SetOutput(0, TensorType(dtype, std::move(dims)));
  return OkStatus();
}

Result<ConvGeometry> ResolveConv(const Node& node, const Shape& x, const Shape& w) {
  if (x.size() < 3 || w.size() != x.size()) {
    return Status(Code::kInvalidArgument,
                  StrCat("the input is ", ShapeToString(x), ", the weights are ", ShapeToString(w),
                         ", expected equal ranks of at least 3"));
  }
  ConvGeometry geometry;
  geometry.batch = x[0];
  geometry.in_channels = x[1];
  geometry.out_channels = w[0];
  ASSIGN_OR_RETURN(geometry.groups, ReadGroups(node));
  RETURN_IF_ERROR(CheckChannels(x[1], w[1], w[0], geometry.groups));
  Ints kernel = node.GetInts("kernel_shape");
  if (kernel.empty()) kernel.assign(w.begin() + 2, w.end());
  RETURN_IF_ERROR(CheckKernel(Dims(w.begin(), w.end()), kernel));
  ASSIGN_OR_RETURN(const Window window, ReadWindow(node, kernel));
  ASSIGN_OR_RETURN(geometry.axes, ResolveWindow(window, std::span(x).subspan(2)));
  return geometry;
}

void Convolve(const ConvGeometry& geometry, const std::vector<double>& x,
              const std::vector<double>& w, const PlaneSink& sink) {
  const int64_t in_plane = geometry.in_plane(), kernel_plane = geometry.kernel_plane();
  const int64_t in_group = geometry.in_channels / geometry.groups;
  const int64_t out_group = geometry.out_channels / geometry.groups;
  std::vector<double> plane(static_cast<size_t>(geometry.out_plane()));
  for (int64_t n = 0; n < geometry.batch; ++n) {
    for (int64_t m = 0; m < geometry.out_channels; ++m) {
      std::fill(plane.begin(), plane.end(), 0.0);
      const int64_t first = n * geometry.in_channels + m / out_group * in_group;
      for (int64_t c = 0; c < in_group; ++c) {
        AddPlane(geometry.axes, w.data() + (m * in_group + c) * kernel_plane,
                 x.data() + (first + c) * in_plane, plane);
      }
      sink(n, m, plane);
    }
  }
}

}  // namespace cairn
