// SPDX-License-Identifier: Apache-2.0
// Convolution that reads a blocked source in place: each tap of each pixel is a pointer, padding
// one to zeros.
#include <algorithm>

#include "kernels/conv/conv_shape.h"
#include "kernels/conv/group_tile.h"
#include "kernels/matmul/skinny.h"

namespace cairn::kernels {
namespace {

alignas(64) constexpr float kZeros[16] = {};

/// The source pixels of one image and group.
struct Image {
  const float* data;
  int64_t block_stride;
};

/// Loops run over groups of panels: the groups of the convolution or, when lanes are permuted,
/// single result blocks.
struct GroupLoop {
  explicit GroupLoop(const ConvParams& params)
      : params(params), shape(params), permutes(ConvPermutesLanes(params)) {}

  int64_t groups() const { return permutes ? shape.out_blocks : params.group; }
  int64_t panels() const { return permutes ? 1 : shape.panels.count(); }
  int64_t out_channel(int64_t group) const {
    return group * (permutes ? shape.c0 : shape.group_out);
  }
  /// First source channel; a multiple of c0 unless lanes are permuted.
  int64_t in_channel(int64_t group) const {
    return out_channel(group) / shape.group_out * shape.group_in;
  }

  const ConvParams& params;
  ConvShape shape;
  bool permutes;
};

/// The job for one group; `lanes` has room for c0 * c0 lane numbers.
SumJob GroupJob(const GroupLoop& loop, const ConvBuffers& buffers, int64_t group, int32_t* lanes) {
  const ConvShape& shape = loop.shape;
  SumJob job = ConvJob(loop.params);
  const int64_t channel = loop.out_channel(group);
  job.bias = buffers.bias == nullptr ? nullptr : buffers.bias + channel;
  if (!loop.permutes) {
    job.weights = buffers.weights + group * shape.panels.packed_floats(job.sum.depth());
    return job;
  }
  job.tiles = GetGroupTiles(loop.params.isa);
  job.panels = {std::min<int64_t>(shape.c0, loop.params.out_channels - channel), shape.c0};
  job.weights = buffers.weights + channel * job.sum.depth();
  const int64_t first = loop.in_channel(group) % shape.c0;
  for (int64_t j = 0; j < shape.group_in; ++j) {
    for (int64_t l = 0; l < shape.c0; ++l) {
      lanes[j * shape.c0 + l] =
          static_cast<int32_t>(first + l / shape.group_out * shape.group_in + j);
    }
  }
  job.lanes = lanes;
  return job;
}

/// The convolution with the axes of a pointwise one joined, so that rows of pixels are long.
ConvParams JoinPixels(ConvParams params) {
  const bool pointwise = Volume(params.kernel) == 1 && Volume(params.stride) == 1 &&
                         params.in == params.out && params.pad_begin == Spatial{0, 0, 0};
  if (pointwise) params.in = params.out = {1, 1, Volume(params.out)};
  return params;
}

int64_t BlockRows(const ConvParams& params) {
  constexpr int64_t kMostRefs = 4096;
  const int64_t rows = RowsPerBlock(ConvSum(params));
  return std::max<int64_t>(std::min(rows, kMostRefs / Volume(params.kernel)), 28);
}

/// Consecutive output pixels of one output row.
struct PixelRun {
  int64_t d, h, begin, end;
};

/// Writes the references of one tap for a run of pixels.
void FillRun(const ConvParams& params, const Image& image, int c0, const PixelRun& run,
             const Spatial& tap, RowRef* refs) {
  const RowRef padding = {kZeros, 0};
  const int64_t count = run.end - run.begin;
  const int64_t d = run.d * params.stride[0] - params.pad_begin[0] + tap[0] * params.dilation[0];
  const int64_t h = run.h * params.stride[1] - params.pad_begin[1] + tap[1] * params.dilation[1];
  if (d < 0 || d >= params.in[0] || h < 0 || h >= params.in[1]) {
    std::fill_n(refs, count, padding);
    return;
  }
  const int64_t stride = params.stride[2];
  const int64_t origin = tap[2] * params.dilation[2] - params.pad_begin[2];
  // Pixels w with 0 <= w * stride + origin < in[2].
  const int64_t first = std::clamp(origin < 0 ? DivideUp(-origin, stride) : 0, run.begin, run.end);
  const int64_t room = params.in[2] - origin;
  const int64_t last = std::clamp(room > 0 ? DivideUp(room, stride) : 0, first, run.end);
  const float* data = image.data + ((d * params.in[1] + h) * params.in[2] + origin) * c0;
  refs = std::fill_n(refs, first - run.begin, padding);
  for (int64_t w = first; w < last; ++w) *refs++ = {data + w * stride * c0, image.block_stride};
  std::fill_n(refs, run.end - last, padding);
}

/// Fills refs[tap * tap_stride + row] for output pixels [begin, end) of an image.
void FillRefs(const ConvParams& params, const Image& image, int c0, Range pixels,
              int64_t tap_stride, RowRef* refs) {
  for (int64_t pixel = pixels.begin; pixel < pixels.end;) {
    const int64_t line = pixel / params.out[2], w = pixel % params.out[2];
    const PixelRun run = {.d = line / params.out[1],
                          .h = line % params.out[1],
                          .begin = w,
                          .end = std::min(params.out[2], w + pixels.end - pixel)};
    RowRef* to = refs + (pixel - pixels.begin);
    for (int64_t kd = 0; kd < params.kernel[0]; ++kd) {
      for (int64_t kh = 0; kh < params.kernel[1]; ++kh) {
        for (int64_t kw = 0; kw < params.kernel[2]; ++kw, to += tap_stride) {
          FillRun(params, image, c0, run, {kd, kh, kw}, to);
        }
      }
    }
    pixel += run.end - run.begin;
  }
}

/// Pixels of one image for the panels of one group.
void RunPixels(const GroupLoop& loop, const ConvBuffers& buffers, const SumJob& job, int64_t image,
               int64_t group, Range pixels, Range panels, RowRef* refs) {
  const ConvParams& params = loop.params;
  const ConvShape& shape = loop.shape;
  const int64_t in_block = image * shape.in_blocks + loop.in_channel(group) / shape.c0;
  const int64_t out_block = image * shape.out_blocks + loop.out_channel(group) / shape.c0;
  const Image source = {.data = buffers.src + in_block * shape.in_pixels * shape.c0,
                        .block_stride = shape.in_pixels * shape.c0};
  const int64_t step = BlockRows(params);
  for (int64_t begin = pixels.begin; begin < pixels.end; begin += step) {
    const int64_t end = std::min(begin + step, pixels.end);
    FillRefs(params, source, shape.c0, {begin, end}, step, refs);
    const int64_t offset = (out_block * shape.out_pixels + begin) * shape.c0;
    RunTiles(job,
             {.refs = refs,
              .tap_stride = step,
              .rows = end - begin,
              .dst = buffers.dst + offset,
              .residual = buffers.residual == nullptr ? nullptr : buffers.residual + offset,
              .row_index = image * shape.out_pixels + begin,
              .col_index = loop.out_channel(group)},
             panels);
  }
}

/// One pixel per image: the blocked layout is a row-major matrix of images x channels.
void RunProduct(const ConvParams& params, const ConvShape& shape, const ConvBuffers& buffers,
                Part part) {
  SumJob job = ConvJob(params);
  job.weights = buffers.weights;
  job.bias = buffers.bias;
  job.dst_row_stride = shape.out_blocks * shape.c0;
  job.dst_vector_stride = shape.c0;
  const bool skinny = params.batch <= kMaxSkinnyRows;
  const GridShare share =
      ShareGrid(params.batch, skinny ? params.batch : 1, shape.panels.count(), part);
  constexpr int64_t kRows = 64;
  RowRef refs[kRows];
  for (int64_t begin = share.rows.begin; begin < share.rows.end; begin += kRows) {
    const int64_t rows = std::min(kRows, share.rows.end - begin);
    for (int64_t r = 0; r < rows; ++r) {
      refs[r] = {buffers.src + (begin + r) * shape.in_blocks * shape.c0, job.sum.length};
    }
    const int64_t offset = begin * job.dst_row_stride;
    const RowBlock block = {
        .refs = refs,
        .rows = rows,
        .dst = buffers.dst + offset,
        .residual = buffers.residual == nullptr ? nullptr : buffers.residual + offset,
        .row_index = begin};
    if (skinny) {
      RunSkinnyTiles(job, params.isa, block, share.panels);
    } else {
      RunTiles(job, block, share.panels);
    }
  }
}

}  // namespace

size_t BlockedConvWorkspaceBytes(const ConvParams& params, int num_parts) {
  if (ConvIsProduct(params)) return 0;
  return static_cast<size_t>(num_parts) * BlockRows(params) * Volume(params.kernel) *
         sizeof(RowRef);
}

void RunBlockedConv(const ConvParams& original, const ConvBuffers& buffers, Part part) {
  const ConvShape shape(original);
  if (ConvIsProduct(original)) {
    RunProduct(original, shape, buffers, part);
    return;
  }
  const ConvParams params = JoinPixels(original);
  const GroupLoop loop(params);
  int32_t lanes[16 * 16];
  RowRef* refs =
      static_cast<RowRef*>(buffers.workspace) + part.index * BlockRows(params) * shape.taps;
  const int64_t count = loop.panels();
  const GridShare share =
      ShareGrid(params.batch * shape.out_pixels, 2, loop.groups() * count, part);
  for (int64_t unit = share.panels.begin; unit < share.panels.end;) {
    const int64_t group = unit / count, first = unit % count;
    const int64_t last = std::min(count, first + share.panels.end - unit);
    const SumJob job = GroupJob(loop, buffers, group, lanes);
    for (int64_t row = share.rows.begin; row < share.rows.end;) {
      const int64_t image = row / shape.out_pixels, begin = row % shape.out_pixels;
      const int64_t end = std::min(shape.out_pixels, begin + share.rows.end - row);
      RunPixels(loop, buffers, job, image, group, {begin, end}, {first, last}, refs);
      row += end - begin;
    }
    unit += last - first;
  }
}

}  // namespace cairn::kernels
