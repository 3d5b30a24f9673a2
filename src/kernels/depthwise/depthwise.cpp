// SPDX-License-Identifier: Apache-2.0
// Drives the depthwise tiles over channel blocks, rows and columns.
#include "kernels/depthwise/depthwise.h"

#include <algorithm>

#include "kernels/conv/conv_shape.h"
#include "kernels/depthwise/depthwise_tile.h"

namespace cairn::kernels {
namespace {

// Pixels of a strip: enough to amortise calls of tiles and hook, few enough for the first-level
// cache.
constexpr int64_t kStripPixels = 128;

/// True when the tiles for kernel width 3 and 5 apply.
bool UsesRowTiles(const ConvParams& p) {
  return (p.kernel[2] == 3 || p.kernel[2] == 5) && p.stride[2] <= 2 && p.dilation[2] == 1;
}
int64_t TileRows(const ConvParams& params) { return UsesRowTiles(params) ? 1 : kGeneralRows; }
int64_t ColumnTiles(const ConvParams& params) {
  return DivideUp(params.out[2], UsesRowTiles(params) ? kRowColumns : kGeneralColumns);
}
int64_t KernelLines(const ConvParams& params) { return params.kernel[0] * params.kernel[1]; }

int64_t LinesBytes(const ConvParams& params) {
  return params.out[0] * params.out[1] * KernelLines(params) *
         static_cast<int64_t>(sizeof(int64_t));
}
int64_t ShareBytes(const ConvParams& params) {
  const int64_t columns = ColumnTiles(params) * params.kernel[2];
  const int64_t bytes = LinesBytes(params) + columns * static_cast<int64_t>(sizeof(ColumnRange));
  return DivideUp(bytes, 64) * 64;
}

/// The tiles of `rows` rows, by number of columns.
const DepthwiseTileFn* SelectTiles(const ConvParams& p, const DepthwiseTable& table, int64_t rows) {
  if (!UsesRowTiles(p)) return table.general[rows];
  return p.kernel[2] == 3 ? table.row3[p.stride[2]] : table.row5[p.stride[2]];
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
  int64_t* lines;  ///< [output row][kernel line]: source row in a plane, negative for padding.
  ColumnRange* columns;  ///< [column tile][kernel column]
};

void FillColumns(const Depthwise& k) {
  const ConvParams& p = k.params;
  const int64_t tiles = ColumnTiles(p);
  ColumnRange* to = k.columns;
  for (int64_t t = 0; t < tiles; ++t) {
    const Range tile =
        PartRange(p.out[2], 1, {static_cast<int32_t>(t), static_cast<int32_t>(tiles)});
    for (int64_t kw = 0; kw < p.kernel[2]; ++kw) {
      // Columns x with 0 <= (tile.begin + x) * stride + origin < in.
      const int64_t origin = kw * p.dilation[2] - p.pad_begin[2];
      const int64_t room = p.in[2] - origin;
      const int64_t first = origin < 0 ? DivideUp(-origin, p.stride[2]) : 0;
      const int64_t last = room > 0 ? DivideUp(room, p.stride[2]) : 0;
      const int64_t from = std::clamp(first, tile.begin, tile.end) - tile.begin;
      const int64_t to_column = std::clamp(last, tile.begin, tile.end) - tile.begin;
      *to++ = {static_cast<int32_t>(from), static_cast<int32_t>(std::max(to_column, from))};
    }
  }
}

void FillLines(const Depthwise& k, Range rows) {
  const ConvParams& p = k.params;
  int64_t* to = k.lines + rows.begin * KernelLines(p);
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    const int64_t d = row / p.out[1], h = row % p.out[1];
    for (int64_t kd = 0; kd < p.kernel[0]; ++kd) {
      const int64_t in_d = d * p.stride[0] - p.pad_begin[0] + kd * p.dilation[0];
      for (int64_t kh = 0; kh < p.kernel[1]; ++kh) {
        const int64_t in_h = h * p.stride[1] - p.pad_begin[1] + kh * p.dilation[1];
        const bool inside = in_d >= 0 && in_d < p.in[0] && in_h >= 0 && in_h < p.in[1];
        *to++ = inside ? (in_d * p.in[1] + in_h) * p.in[2] * k.shape.c0 : -1;
      }
    }
  }
}

/// Output rows [begin, end), counted over depth and height.
void RunStrip(const Depthwise& k, const Plane& plane, Range rows) {
  const ConvParams& p = k.params;
  const int64_t c0 = k.shape.c0;
  DepthwiseTileArgs args = {.src = plane.src,
                            .kernel_lines = KernelLines(p),
                            .kernel_width = p.kernel[2],
                            .source_width = p.in[2],
                            .tap_columns = p.dilation[2],
                            .pixel_columns = p.stride[2],
                            .weights = plane.weights,
                            .dst_line_stride = p.out[2] * c0,
                            .bias = plane.bias,
                            .epilogue = &p.epilogue,
                            .tail_lanes = plane.lanes};
  const int64_t tiles = ColumnTiles(p), width = p.out[2] / tiles, wider = p.out[2] % tiles;
  const int64_t whole = rows.size() / TileRows(p) * TileRows(p);
  for (int64_t t = 0, begin = 0; t < tiles; ++t) {
    const int64_t columns = width + (t < wider ? 1 : 0);
    args.columns = k.columns + t * p.kernel[2];
    args.first_column = begin * p.stride[2] - p.pad_begin[2];
    const auto run = [&](int64_t row, int64_t count, int64_t tile_rows) {
      const int64_t offset = (row * p.out[2] + begin) * c0;
      args.lines = k.lines + row * args.kernel_lines;
      args.rows = count;
      args.dst = plane.dst + offset;
      args.init = plane.residual == nullptr ? nullptr : plane.residual + offset;
      SelectTiles(p, k.table, tile_rows)[columns](args);
    };
    if (whole > 0) run(rows.begin, whole, TileRows(p));
    if (whole < rows.size()) run(rows.begin + whole, 1, 1);
    begin += columns;
  }
}

void RunPlane(const Depthwise& k, const Plane& plane, Range rows) {
  const int64_t width = k.params.out[2];
  const int64_t step =
      DivideUp(DivideUp(kStripPixels, width), TileRows(k.params)) * TileRows(k.params);
  const EpilogueHook& hook = k.params.epilogue.hook;
  for (int64_t row = rows.begin; row < rows.end; row += step) {
    const int64_t end = std::min(row + step, rows.end);
    RunStrip(k, plane, {row, end});
    if (hook.apply == nullptr) continue;
    hook.apply(hook.context, {.data = plane.dst + row * width * k.shape.c0,
                              .row_stride = k.shape.c0,
                              .rows = (end - row) * width,
                              .cols = plane.lanes,
                              .row0 = plane.row_index + row * width,
                              .col0 = plane.channel});
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
                       .lines = reinterpret_cast<int64_t*>(workspace),
                       .columns = reinterpret_cast<ColumnRange*>(workspace + LinesBytes(params))};
  const ConvShape& shape = k.shape;
  const GridShare share = ShareGrid(params.out[0] * params.out[1], TileRows(params),
                                    params.batch * shape.out_blocks, part);
  if (share.panels.size() == 0) return;
  FillColumns(k);
  FillLines(k, share.rows);
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
  const double rate = shape.c0 <= 8 ? 1.6 : 1.25;
  const double compute = values * shape.out_pixels * shape.taps / 16.0 * rate;
  // Both tensors at about two floats a cycle from beyond the second-level cache.
  const double traffic = values * (shape.in_pixels + shape.out_pixels) / 4.0;
  return std::max(compute, traffic) + 300.0;
}

}  // namespace cairn::kernels
