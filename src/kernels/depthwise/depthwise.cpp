// SPDX-License-Identifier: Apache-2.0
// Drives the depthwise tiles over channel blocks, rows and columns.
#include "kernels/depthwise/depthwise.h"

#include <algorithm>

#include "kernels/conv/conv_shape.h"
#include "kernels/depthwise/depthwise_tile.h"

namespace cairn::kernels {
namespace {

// Pixels finished before the hook runs over them.
constexpr int64_t kHookPixels = 48;

int64_t ColumnTiles(const ConvParams& params) { return DivideUp(params.out[2], kDepthwiseColumns); }
int64_t KernelLines(const ConvParams& params) { return params.kernel[0] * params.kernel[1]; }

int64_t LinesBytes(const ConvParams& params) {
  return KernelLines(params) * kDepthwiseRows * static_cast<int64_t>(sizeof(const float*));
}
int64_t ShareBytes(const ConvParams& params) {
  const int64_t columns = ColumnTiles(params) * params.kernel[2];
  const int64_t bytes = LinesBytes(params) + columns * static_cast<int64_t>(sizeof(ColumnRange));
  return DivideUp(bytes, 64) * 64;
}

/// One channel block of one image.
struct Plane {
  const float* src;
  float* dst;
  const float* residual;
  const float* weights;
  const float* bias;
  int64_t row_index;
  int64_t channel;
  int32_t lanes;
};

struct Depthwise {
  const ConvParams& params;
  ConvShape shape;
  const DepthwiseTable& table;
  const float** lines;   ///< [kernel lines][kDepthwiseRows]
  ColumnRange* columns;  ///< [column tile][kernel column]
};

/// First column of tile `t`; tiles differ by at most one column.
int64_t TileBegin(int64_t width, int64_t tiles, int64_t t) {
  return width / tiles * t + std::min(t, width % tiles);
}

void FillColumns(const Depthwise& k) {
  const ConvParams& p = k.params;
  const int64_t tiles = ColumnTiles(p);
  ColumnRange* to = k.columns;
  for (int64_t t = 0; t < tiles; ++t) {
    const int64_t begin = TileBegin(p.out[2], tiles, t), end = TileBegin(p.out[2], tiles, t + 1);
    for (int64_t kw = 0; kw < p.kernel[2]; ++kw) {
      // Columns x with 0 <= (begin + x) * stride + origin < in.
      const int64_t origin = kw * p.dilation[2] - p.pad_begin[2];
      const int64_t room = p.in[2] - origin;
      const int64_t first = origin < 0 ? DivideUp(-origin, p.stride[2]) : 0;
      const int64_t last = room > 0 ? DivideUp(room, p.stride[2]) : 0;
      const int64_t from = std::clamp(first, begin, end) - begin;
      *to++ = {static_cast<int32_t>(from),
               static_cast<int32_t>(std::max(std::clamp(last, begin, end) - begin, from))};
    }
  }
}

void FillLines(const Depthwise& k, const Plane& plane, int64_t d, int64_t h, int64_t rows) {
  const ConvParams& p = k.params;
  for (int64_t kd = 0; kd < p.kernel[0]; ++kd) {
    const int64_t in_d = d * p.stride[0] - p.pad_begin[0] + kd * p.dilation[0];
    for (int64_t kh = 0; kh < p.kernel[1]; ++kh) {
      for (int64_t r = 0; r < rows; ++r) {
        const int64_t in_h = (h + r) * p.stride[1] - p.pad_begin[1] + kh * p.dilation[1];
        const bool inside = in_d >= 0 && in_d < p.in[0] && in_h >= 0 && in_h < p.in[1];
        k.lines[(kd * p.kernel[1] + kh) * kDepthwiseRows + r] =
            inside ? plane.src + (in_d * p.in[1] + in_h) * p.in[2] * k.shape.c0 : nullptr;
      }
    }
  }
}

/// Output rows h, ..., h + rows - 1 of depth d.
void RunStrip(const Depthwise& k, const Plane& plane, int64_t d, int64_t h, int64_t rows) {
  const ConvParams& p = k.params;
  const int64_t c0 = k.shape.c0;
  FillLines(k, plane, d, h, rows);
  const int64_t offset = (d * p.out[1] + h) * p.out[2] * c0;
  DepthwiseTileArgs args = {.lines = k.lines,
                            .kernel_lines = KernelLines(p),
                            .kernel_width = p.kernel[2],
                            .tap_step = p.dilation[2] * c0,
                            .pixel_step = p.stride[2] * c0,
                            .weights = plane.weights,
                            .dst_line_stride = p.out[2] * c0,
                            .bias = plane.bias,
                            .epilogue = &p.epilogue,
                            .tail_lanes = plane.lanes};
  const int64_t tiles = ColumnTiles(p);
  const auto& kernels = k.table.tile[p.stride[2] <= 2 ? p.stride[2] : 0][rows];
  for (int64_t t = 0; t < tiles; ++t) {
    const int64_t begin = TileBegin(p.out[2], tiles, t);
    args.columns = k.columns + t * p.kernel[2];
    args.column_offset = (begin * p.stride[2] - p.pad_begin[2]) * c0;
    args.dst = plane.dst + offset + begin * c0;
    args.init = plane.residual == nullptr ? nullptr : plane.residual + offset + begin * c0;
    kernels[TileBegin(p.out[2], tiles, t + 1) - begin](args);
  }
}

void CallHook(const Depthwise& k, const Plane& plane, Range pixels) {
  const EpilogueHook& hook = k.params.epilogue.hook;
  hook.apply(hook.context, {.data = plane.dst + pixels.begin * k.shape.c0,
                            .row_stride = k.shape.c0,
                            .rows = pixels.size(),
                            .cols = plane.lanes,
                            .row0 = plane.row_index + pixels.begin,
                            .col0 = plane.channel});
}

/// Output lines [begin, end) of a plane, counted over depth and height.
void RunPlane(const Depthwise& k, const Plane& plane, Range lines) {
  const int64_t height = k.params.out[1], width = k.params.out[2];
  int64_t hooked = lines.begin;
  for (int64_t line = lines.begin; line < lines.end;) {
    const int64_t d = line / height, h = line % height;
    const int64_t rows = std::min<int64_t>({kDepthwiseRows, height - h, lines.end - line});
    RunStrip(k, plane, d, h, rows);
    line += rows;
    const bool enough = (line - hooked) * width >= kHookPixels || line == lines.end;
    if (k.params.epilogue.hook.apply != nullptr && enough) {
      CallHook(k, plane, {hooked * width, line * width});
      hooked = line;
    }
  }
}

}  // namespace

bool DepthwiseSupports(const ConvParams& params) {
  return params.group == params.in_channels && params.group == params.out_channels &&
         !params.plain_src;
}

int64_t DepthwisePackedFloats(const ConvParams& params) {
  const ConvShape shape(params);
  return shape.out_blocks * shape.taps * shape.c0;
}

void PackDepthwise(const ConvParams& params, const float* weights, float* packed) {
  const ConvShape shape(params);
  for (int64_t c = 0; c < shape.out_blocks * shape.c0; ++c) {
    float* to = packed + c / shape.c0 * shape.taps * shape.c0 + c % shape.c0;
    for (int64_t t = 0; t < shape.taps; ++t) {
      to[t * shape.c0] = c < params.out_channels ? weights[c * shape.taps + t] : 0.0f;
    }
  }
}

size_t DepthwiseWorkspaceBytes(const ConvParams& params, int num_parts) {
  return static_cast<size_t>(num_parts) * ShareBytes(params);
}

int DepthwisePhases(const ConvParams& /*params*/) { return 1; }

void RunDepthwise(const ConvParams& params, const ConvBuffers& buffers, int /*phase*/, Part part) {
  char* workspace = static_cast<char*>(buffers.workspace) + part.index * ShareBytes(params);
  const Depthwise k = {.params = params,
                       .shape = ConvShape(params),
                       .table = *GetDepthwiseTable(params.isa),
                       .lines = reinterpret_cast<const float**>(workspace),
                       .columns = reinterpret_cast<ColumnRange*>(workspace + LinesBytes(params))};
  FillColumns(k);
  const ConvShape& shape = k.shape;
  const GridShare share = ShareGrid(params.out[0] * params.out[1], kDepthwiseRows,
                                    params.batch * shape.out_blocks, part);
  for (int64_t unit = share.panels.begin; unit < share.panels.end; ++unit) {
    const int64_t block = unit % shape.out_blocks, image = unit / shape.out_blocks;
    const int64_t offset = unit * shape.out_pixels * shape.c0;
    const int64_t channel = block * shape.c0;
    const Plane plane = {
        .src = buffers.src + unit * shape.in_pixels * shape.c0,
        .dst = buffers.dst + offset,
        .residual = buffers.residual == nullptr ? nullptr : buffers.residual + offset,
        .weights = buffers.weights + channel * shape.taps,
        .bias = buffers.bias == nullptr ? nullptr : buffers.bias + channel,
        .row_index = image * shape.out_pixels,
        .channel = channel,
        .lanes = static_cast<int32_t>(std::min<int64_t>(shape.c0, params.out_channels - channel))};
    RunPlane(k, plane, share.rows);
  }
}

double EstimateDepthwiseCycles(const ConvParams& params) {
  const ConvShape shape(params);
  const double values = static_cast<double>(params.batch * shape.out_blocks) * shape.c0;
  const double compute = values * shape.out_pixels * shape.taps / 16.0 * 1.25;
  // Both tensors at about two floats a cycle from beyond the second-level cache.
  const double traffic = values * (shape.in_pixels + shape.out_pixels) / 4.0;
  return std::max(compute, traffic) + 300.0;
}

}  // namespace cairn::kernels
