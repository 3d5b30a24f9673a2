// SPDX-License-Identifier: Apache-2.0
// DeformConv: convolution whose taps are displaced by data, with interpolation.
#include <cmath>

#include "ops/axes.h"
#include "ops/elements.h"
#include "ops/nn/convolution.h"

namespace cairn {
namespace {

enum : size_t { kX, kW, kOffset, kB, kMask };

Status InferDeformConv(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, kX));
  for (const size_t i : {kW, kOffset, kB, kMask}) {
    if (in.has_input(i)) RETURN_IF_ERROR(RequireSameDtype(in, kX, i));
  }
  return InferConvOutput(in, kX, kW, in.type(kX).dtype);
}

/// A plane at a fractional position, multilinear; outside lie zeros.
double SampleAt(const double* plane, const Shape& sizes, const std::vector<double>& position) {
  double sum = 0;
  const size_t rank = sizes.size();
  for (size_t corner = 0; corner < (size_t{1} << rank); ++corner) {
    double weight = 1;
    int64_t offset = 0;
    for (size_t d = 0; d < rank && weight != 0; ++d) {
      const double below = std::floor(position[d]);
      const bool upper = (corner >> d & 1) != 0;
      const double at = below + (upper ? 1 : 0);
      const bool inside = at >= 0 && at < static_cast<double>(sizes[d]);
      weight = inside ? weight * (upper ? position[d] - below : 1 - (position[d] - below)) : 0;
      if (inside) offset = offset * sizes[d] + static_cast<int64_t>(at);
    }
    if (weight != 0) sum += weight * plane[offset];
  }
  return sum;
}

struct DeformGeometry {
  ConvGeometry conv;
  int64_t offset_groups = 1;
  Shape in_sizes, out_sizes, kernel_sizes;
};

Result<DeformGeometry> Resolve(const EvalContext& in) {
  DeformGeometry g;
  const Shape& x = in.input(kX).shape();
  ASSIGN_OR_RETURN(g.conv, ResolveConv(in.node(), x, in.input(kW).shape()));
  g.offset_groups = in.node().GetInt("offset_group", 1);
  if (g.offset_groups < 1 || g.conv.in_channels % g.offset_groups != 0) {
    return Status(Code::kInvalidArgument,
                  StrCat("'offset_group' is ", g.offset_groups, " for ", g.conv.in_channels,
                         " channels, expected a divisor"));
  }
  for (const WindowAxis& axis : g.conv.axes) {
    g.in_sizes.push_back(axis.in);
    g.out_sizes.push_back(axis.out);
    g.kernel_sizes.push_back(axis.kernel);
  }
  const int64_t taps = g.offset_groups * g.conv.kernel_plane();
  const auto rank = static_cast<int64_t>(g.in_sizes.size());
  Shape offset = {g.conv.batch, taps * rank}, mask = {g.conv.batch, taps};
  offset.insert(offset.end(), g.out_sizes.begin(), g.out_sizes.end());
  mask.insert(mask.end(), g.out_sizes.begin(), g.out_sizes.end());
  if (in.input(kOffset).shape() != offset ||
      (in.has_input(kMask) && in.input(kMask).shape() != mask)) {
    return Status(Code::kInvalidArgument,
                  StrCat("'offset' is ", ShapeToString(in.input(kOffset).shape()), ", expected ",
                         ShapeToString(offset), "; 'mask', when given, ", ShapeToString(mask)));
  }
  if (in.has_input(kB) && in.input(kB).num_elements() != g.conv.out_channels) {
    return Status(Code::kInvalidArgument, StrCat("the bias has ", in.input(kB).num_elements(),
                                                 " elements, expected ", g.conv.out_channels));
  }
  return g;
}

/// Columns of sample `n`: [channel, tap, output position], the masked values under every tap.
std::vector<double> Columns(const EvalContext& in, const DeformGeometry& g,
                            const std::vector<double>& x, int64_t n) {
  const int64_t taps = g.conv.kernel_plane(), out_plane = g.conv.out_plane();
  const int64_t in_plane = g.conv.in_plane();
  const int64_t per_group = g.conv.in_channels / g.offset_groups;
  const auto rank = static_cast<int64_t>(g.in_sizes.size());
  std::vector<double> columns(static_cast<size_t>(g.conv.in_channels * taps * out_plane));
  std::vector<double> position(g.in_sizes.size());
  for (int64_t group = 0; group < g.offset_groups; ++group) {
    Shape tap(g.kernel_sizes.size(), 0);
    for (int64_t t = 0; t < taps; ++t, NextIndex(g.kernel_sizes, tap)) {
      const int64_t slot = (n * g.offset_groups + group) * taps + t;
      Shape out(g.out_sizes.size(), 0);
      for (int64_t o = 0; o < out_plane; ++o, NextIndex(g.out_sizes, out)) {
        for (size_t d = 0; d < position.size(); ++d) {
          const WindowAxis& axis = g.conv.axes[d];
          const int64_t at = (slot * rank + static_cast<int64_t>(d)) * out_plane + o;
          position[d] =
              in.input(kOffset).GetDouble(at) +
              static_cast<double>(out[d] * axis.stride - axis.pad_begin + tap[d] * axis.dilation);
        }
        const double factor =
            in.has_input(kMask) ? in.input(kMask).GetDouble(slot * out_plane + o) : 1;
        for (int64_t c = group * per_group; c < (group + 1) * per_group; ++c) {
          const double* plane = x.data() + (n * g.conv.in_channels + c) * in_plane;
          columns[static_cast<size_t>((c * taps + t) * out_plane + o)] =
              factor * SampleAt(plane, g.in_sizes, position);
        }
      }
    }
  }
  return columns;
}

Status EvalDeformConv(EvalContext& in) {
  ASSIGN_OR_RETURN(const DeformGeometry g, Resolve(in));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, in.input(kX).dtype(), g.conv.OutputShape()));
  const std::vector<double> x = ToDoubles(in.input(kX)), w = ToDoubles(in.input(kW));
  const int64_t taps = g.conv.kernel_plane(), out_plane = g.conv.out_plane();
  const int64_t in_group = g.conv.in_channels / g.conv.groups;
  const int64_t out_group = g.conv.out_channels / g.conv.groups;
  std::vector<double> plane(static_cast<size_t>(out_plane));
  for (int64_t n = 0; n < g.conv.batch; ++n) {
    const std::vector<double> columns = Columns(in, g, x, n);
    for (int64_t m = 0; m < g.conv.out_channels; ++m) {
      plane.assign(plane.size(), in.has_input(kB) ? in.input(kB).GetDouble(m) : 0);
      for (int64_t k = 0; k < in_group * taps; ++k) {
        const double weight = w[static_cast<size_t>(m * in_group * taps + k)];
        const double* row = columns.data() + (m / out_group * in_group * taps + k) * out_plane;
        for (int64_t o = 0; o < out_plane; ++o) plane[static_cast<size_t>(o)] += weight * row[o];
      }
      const int64_t first = (n * g.conv.out_channels + m) * out_plane;
      for (int64_t o = 0; o < out_plane; ++o) {
        y->SetDouble(first + o, plane[static_cast<size_t>(o)]);
      }
    }
  }
  return OkStatus();
}

}  // namespace

OpDef DeformConvOp() {
  return OpDef("DeformConv")
      .Input("X")
      .Input("W")
      .Input("offset")
      .OptionalInput("B")
      .OptionalInput("mask")
      .Output("Y")
      .OptionalAttr("dilations", AttrKind::kInts, "Distance of taps per spatial axis; 1 each.")
      .DefaultAttr("group", AttrKind::kInt, int64_t{1}, "Number of groups of channels.")
      .OptionalAttr("kernel_shape", AttrKind::kInts, "Sizes of the kernel; those of W when absent.")
      .DefaultAttr("offset_group", AttrKind::kInt, int64_t{1},
                   "Number of groups of input channels with offsets of their own.")
      .OptionalAttr("pads", AttrKind::kInts, "Padding: all begins, then all ends; 0 each.")
      .OptionalAttr("strides", AttrKind::kInts, "Distance of windows per spatial axis; 1 each.")
      .Doc(
          "Conv of X with W plus B, where tap k of output o reads X at its place plus offset [N, "
          "offset_group * taps * axes, out...], interpolated, zeros outside, times mask [N, "
          "offset_group * taps, out...].")
      .Infer(InferDeformConv)
      .Reference(EvalDeformConv);
}

}  // namespace cairn
