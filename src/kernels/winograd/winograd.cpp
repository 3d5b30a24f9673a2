// SPDX-License-Identifier: Apache-2.0
// Winograd convolution: transformed weights, and the loops over rows of tiles and panels of
// channels.
#include "kernels/winograd/winograd.h"

#include <algorithm>
#include <array>

#include "kernels/conv/conv_shape.h"
#include "kernels/winograd/transform.h"

namespace cairn::kernels {
namespace {

// Transformed source of a group of tiles, in bytes: half of a 1 MiB second-level cache.
constexpr int64_t kGroupBytes = 512 << 10;
// With no more tiles than this, shares split the channels of all tiles instead of the tiles.
constexpr int64_t kFewTiles = 64;

/// Sizes derived from the parameters. The unit of work is a row of tiles of one image.
struct Plan {
  explicit Plan(const WinogradParams& params) : conv(params.conv), tile(params.tile), shape(conv) {
    const int64_t side = tile + 2;
    points = side * side;
    tiles_across = DivideUp(conv.out[2], tile);
    tiles_down = DivideUp(conv.out[1], tile);
    tile_rows = conv.batch * tiles_down;
    channels = conv.in_channels;
    together = tile_rows * tiles_across <= kFewTiles;
    const int64_t most = std::clamp<int64_t>(
        kGroupBytes / (points * channels * static_cast<int64_t>(sizeof(float))), 24, kFewTiles);
    group_rows = together ? tile_rows : std::max<int64_t>(most / tiles_across, 1);
    group_tiles = group_rows * tiles_across;
    // One more cache line keeps the points of a tile out of the same cache set.
    source_point = shape.in_blocks * group_tiles * shape.c0 + 16;
    result_point = kMaxTileVectors * group_tiles * shape.c0 + 16;
    source_floats = points * source_point;
    result_floats = points * result_point;
    refs_floats = DivideUp(points * group_tiles * static_cast<int64_t>(sizeof(RowRef)), 64) * 16;
  }

  ConvParams conv;
  int tile;
  ConvShape shape;
  int64_t points;
  int64_t tiles_across, tiles_down, tile_rows;
  int64_t channels;  ///< Source channels, the depth of the products.
  bool together;     ///< All tiles are transformed in a phase of their own and shared by all.
  int64_t group_rows, group_tiles;
  int64_t source_point, result_point;  ///< Floats from one point to the next.
  int64_t source_floats, result_floats, refs_floats;
};

/// The part of the workspace that one share uses.
struct Workspace {
  Workspace(const Plan& plan, void* base, Part part) {
    float* floats = static_cast<float*>(base);
    const int64_t own = plan.result_floats + plan.refs_floats;
    if (plan.together) {
      source = floats;
      floats += plan.source_floats + part.index * own;
    } else {
      floats += part.index * (own + plan.source_floats);
      source = floats;
      floats += plan.source_floats;
    }
    result = floats;
    refs = reinterpret_cast<RowRef*>(floats + plan.result_floats);
  }
  float* source;  ///< [point][channel block][tile of the group][c0]
  float* result;  ///< [point][vector of a panel][tile of the group][c0]
  RowRef* refs;   ///< [point][tile of the group]
};

void FillRefs(const Plan& plan, const Workspace& work) {
  const int64_t step = plan.group_tiles * plan.shape.c0;
  for (int64_t p = 0; p < plan.points; ++p) {
    for (int64_t t = 0; t < plan.group_tiles; ++t) {
      work.refs[p * plan.group_tiles + t] = {
          work.source + p * plan.source_point + t * plan.shape.c0, step};
    }
  }
}

/// Transforms tile row `row` of channel block `block` to tiles [tile, tile + tiles_across) of the
/// group.
void TransformSource(const Plan& plan, const ConvBuffers& buffers, const Workspace& work,
                     int64_t row, int64_t block, int64_t tile) {
  const ConvParams& p = plan.conv;
  const ConvShape& shape = plan.shape;
  const int64_t image = row / plan.tiles_down, y = row % plan.tiles_down;
  const int64_t plane = (image * shape.in_blocks + block) * shape.in_pixels * shape.c0;
  GetWinogradTransforms(p.isa, plan.tile)
      .source({.plane = buffers.src + plane,
               .height = p.in[1],
               .width = p.in[2],
               .y = y * plan.tile - p.pad_begin[1],
               .x = -p.pad_begin[2],
               .tiles = plan.tiles_across,
               .points = work.source + (block * plan.group_tiles + tile) * shape.c0,
               .point_stride = plan.source_point});
}

/// The products of all points for tiles [begin, end) of the group and one panel.
void MultiplyPoints(const Plan& plan, const float* weights, const Workspace& work, int64_t panel,
                    Range tiles) {
  const ConvShape& shape = plan.shape;
  const TileTable& table = *GetTileTable(plan.conv.isa);
  const int vectors = shape.panels.panel_vectors(panel);
  const SumShape sum = TappedSum(1, plan.channels, shape.c0);
  const int64_t count = DivideUp(tiles.size(), table.max_rows[vectors]);
  const int64_t point_floats = shape.panels.packed_floats(plan.channels);
  const int64_t panel_floats = plan.channels * vectors * shape.c0;
  const Epilogue none;
  TileArgs args = {.taps = 1,
                   .length = shape.c0,
                   .weight_stride = vectors * shape.c0,
                   .dst_row_stride = shape.c0,
                   .dst_vector_stride = plan.group_tiles * shape.c0,
                   .epilogue = &none,
                   .zero_tail = true,
                   .tail_lanes = shape.c0};
  for (int64_t point = 0; point < plan.points; ++point) {
    const float* from = weights + point * point_floats + shape.panels.offset(panel, plan.channels);
    for (int64_t i = 0; i < sum.pieces(); ++i) {
      const SumPiece piece = sum.piece(i);
      args.first_block = piece.first_block;
      args.blocks = piece.blocks;
      args.missing = piece.missing;
      args.weights = from + piece.depth_begin * args.weight_stride;
      int64_t tile = tiles.begin;
      for (int64_t c = 0; c < count; ++c) {
        const int64_t rows = tiles.size() / count + (c < tiles.size() % count ? 1 : 0);
        args.rows = work.refs + point * plan.group_tiles + tile;
        args.dst = work.result + point * plan.result_point + tile * shape.c0;
        args.init = i == 0 ? nullptr : args.dst;
        table.tile[vectors][rows](args);
        PrefetchSlice(from + point_floats, point + 1 < plan.points ? panel_floats : 0, c, count);
        tile += rows;
      }
    }
  }
}

/// Transforms the products of a panel for tile rows [begin, end), the group starting at tile row
/// `first`.
void TransformResult(const Plan& plan, const ConvBuffers& buffers, const Workspace& work,
                     int64_t panel, int64_t first, Range rows) {
  const ConvParams& p = plan.conv;
  const ConvShape& shape = plan.shape;
  const WinogradTransforms transforms = GetWinogradTransforms(p.isa, plan.tile);
  for (int v = 0; v < shape.panels.panel_vectors(panel); ++v) {
    const int64_t block = shape.panels.first_vector(panel) + v, channel = block * shape.c0;
    const int64_t lanes = std::min<int64_t>(shape.c0, p.out_channels - channel);
    for (int64_t row = rows.begin; row < rows.end; ++row) {
      const int64_t image = row / plan.tiles_down, y = row % plan.tiles_down * plan.tile;
      const int64_t tile = (row - first) * plan.tiles_across;
      const int64_t offset =
          ((image * shape.out_blocks + block) * shape.out_pixels + y * p.out[2]) * shape.c0;
      const int64_t height = std::min<int64_t>(plan.tile, p.out[1] - y);
      transforms.result(
          {.points = work.result + (v * plan.group_tiles + tile) * shape.c0,
           .point_stride = plan.result_point,
           .tiles = plan.tiles_across,
           .dst = buffers.dst + offset,
           .residual = buffers.residual == nullptr ? nullptr : buffers.residual + offset,
           .width = p.out[2],
           .rows = height,
           .columns = p.out[2],
           .bias = buffers.bias == nullptr ? nullptr : buffers.bias + channel,
           .epilogue = &p.epilogue,
           .tail_lanes = static_cast<int32_t>(lanes)});
      if (p.epilogue.hook.apply == nullptr) continue;
      p.epilogue.hook.apply(p.epilogue.hook.context,
                            {.data = buffers.dst + offset,
                             .row_stride = shape.c0,
                             .rows = height * p.out[2],
                             .cols = lanes,
                             .row0 = image * shape.out_pixels + y * p.out[2],
                             .col0 = channel});
    }
  }
}

/// Products and results of tile rows [begin, end) of the group that starts at tile row `first`.
void RunPanels(const Plan& plan, const ConvBuffers& buffers, const Workspace& work, int64_t first,
               Range rows, Range panels) {
  const Range tiles = {(rows.begin - first) * plan.tiles_across,
                       (rows.end - first) * plan.tiles_across};
  for (int64_t panel = panels.begin; panel < panels.end; ++panel) {
    MultiplyPoints(plan, buffers.weights, work, panel, tiles);
    TransformResult(plan, buffers, work, panel, first, rows);
  }
}

/// All tiles as one group: first every share transforms source blocks, then it takes panels.
void RunTogether(const Plan& plan, const ConvBuffers& buffers, int phase, Part part) {
  const Workspace work(plan, buffers.workspace, part);
  if (phase == 0) {
    const Range units = PartRange(plan.tile_rows * plan.shape.in_blocks, 1, part);
    for (int64_t unit = units.begin; unit < units.end; ++unit) {
      const int64_t block = unit / plan.tile_rows, row = unit % plan.tile_rows;
      TransformSource(plan, buffers, work, row, block, row * plan.tiles_across);
    }
    return;
  }
  const GridShare share = ShareGrid(plan.tile_rows, 1, plan.shape.panels.count(), part);
  if (share.rows.size() == 0 || share.panels.size() == 0) return;
  FillRefs(plan, work);
  RunPanels(plan, buffers, work, 0, share.rows, share.panels);
}

/// Each share takes tile rows, group by group.
void RunGroups(const Plan& plan, const ConvBuffers& buffers, Part part) {
  const Workspace work(plan, buffers.workspace, part);
  const Range rows = PartRange(plan.tile_rows, 1, part);
  if (rows.size() == 0) return;
  FillRefs(plan, work);
  const int64_t groups = DivideUp(rows.size(), plan.group_rows);
  for (int64_t g = 0; g < groups; ++g) {
    const Range piece =
        PartRange(rows.size(), 1, {static_cast<int32_t>(g), static_cast<int32_t>(groups)});
    const Range group = {rows.begin + piece.begin, rows.begin + piece.end};
    for (int64_t block = 0; block < plan.shape.in_blocks; ++block) {
      for (int64_t row = group.begin; row < group.end; ++row) {
        TransformSource(plan, buffers, work, row, block, (row - group.begin) * plan.tiles_across);
      }
    }
    RunPanels(plan, buffers, work, group.begin, group, {0, plan.shape.panels.count()});
  }
}

/// G of F(tile, 3), rows of three.
std::array<std::array<double, 3>, 6> KernelTransform(int tile) {
  if (tile == 2) return {{{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}}};
  return {{{1.0 / 4, 0, 0},
           {-1.0 / 6, -1.0 / 6, -1.0 / 6},
           {-1.0 / 6, 1.0 / 6, -1.0 / 6},
           {1.0 / 24, 1.0 / 12, 1.0 / 6},
           {1.0 / 24, -1.0 / 12, 1.0 / 6},
           {0, 0, 1}}};
}

/// points = G kernel GT.
std::array<double, 36> TransformKernel(int tile, const float* kernel) {
  const auto g = KernelTransform(tile);
  const int side = tile + 2;
  std::array<double, 36> points = {};
  for (int i = 0; i < side; ++i) {
    double row[3] = {};
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) row[c] += g[i][r] * kernel[r * 3 + c];
    }
    for (int j = 0; j < side; ++j) {
      for (int c = 0; c < 3; ++c) points[i * side + j] += row[c] * g[j][c];
    }
  }
  return points;
}

}  // namespace

bool WinogradSupports(const ConvParams& params) {
  return params.group == 1 && !params.plain_src && params.kernel == Spatial{1, 3, 3} &&
         params.stride == Spatial{1, 1, 1} && params.dilation == Spatial{1, 1, 1} &&
         params.in[0] == 1 && params.out[0] == 1 && params.pad_begin[0] == 0;
}

int64_t WinogradPackedFloats(const WinogradParams& params) {
  const Plan plan(params);
  return plan.points * plan.shape.panels.packed_floats(plan.channels);
}

void PackWinograd(const WinogradParams& params, const float* weights, float* packed) {
  const Plan plan(params);
  const Panels& panels = plan.shape.panels;
  const int64_t in_channels = params.conv.in_channels;
  std::fill_n(packed, WinogradPackedFloats(params), 0.0f);
  for (int64_t panel = 0; panel < panels.count(); ++panel) {
    const int64_t width = panels.panel_vectors(panel) * panels.c0;
    const int64_t first = panels.first_vector(panel) * panels.c0;
    const int64_t valid = std::min(width, params.conv.out_channels - first);
    for (int64_t i = 0; i < in_channels; ++i) {
      for (int64_t o = 0; o < valid; ++o) {
        const float* kernel = weights + ((first + o) * in_channels + i) * 9;
        const auto points = TransformKernel(params.tile, kernel);
        float* to = packed + panels.offset(panel, plan.channels) + i * width + o;
        for (int64_t p = 0; p < plan.points; ++p) {
          to[p * panels.packed_floats(plan.channels)] = static_cast<float>(points[p]);
        }
      }
    }
  }
}

size_t WinogradWorkspaceBytes(const WinogradParams& params, int num_parts) {
  const Plan plan(params);
  const int64_t own = plan.result_floats + plan.refs_floats;
  const int64_t floats =
      plan.together ? plan.source_floats + num_parts * own : num_parts * (plan.source_floats + own);
  return static_cast<size_t>(floats) * sizeof(float);
}

int WinogradPhases(const WinogradParams& params) { return Plan(params).together ? 2 : 1; }

void RunWinograd(const WinogradParams& params, const ConvBuffers& buffers, int phase, Part part) {
  const Plan plan(params);
  if (plan.together) {
    RunTogether(plan, buffers, phase, part);
  } else {
    RunGroups(plan, buffers, part);
  }
}

double EstimateWinogradCycles(const WinogradParams& params) {
  const Plan plan(params);
  const double tiles = static_cast<double>(plan.tile_rows * plan.tiles_across);
  const double points = static_cast<double>(plan.points);
  const double in = static_cast<double>(plan.channels);
  const double out = static_cast<double>(plan.shape.out_blocks * plan.shape.c0);
  const double multiply = TileCycles(tiles * points * in * out, plan.shape.c0) * 1.05;
  const double groups = plan.together ? 1.0 : tiles / static_cast<double>(plan.group_tiles);
  const double weights = StreamCycles(points * in * out) * groups;
  const double transforms = tiles * points * (in + out) / 16.0 * 4.0;
  return std::max(multiply, weights) + transforms + 1000.0;
}

}  // namespace cairn::kernels
