// SPDX-License-Identifier: Apache-2.0
// Convolution over gathered lines: the source rows that some output rows need are copied, padded,
// with the channels of a pixel adjacent, so that a kernel row is one run of consecutive terms.
#include <algorithm>

#include "kernels/conv/conv_shape.h"
#include "kernels/conv/gather.h"

namespace cairn::kernels {
namespace {

/// The workspace of one share and the sizes of what it holds.
struct GatherPlan {
  explicit GatherPlan(const ConvParams& params) : shape(params), sum(ConvSum(params)) {
    const int64_t span_h = (params.kernel[1] - 1) * params.dilation[1] + 1;
    const int64_t width =
        (params.out[2] - 1) * params.stride[2] + (params.kernel[2] - 1) * params.dilation[2] + 1;
    line_floats = width * shape.group_in;
    line_pixels = width;
    constexpr int64_t kMostPixels = 256, kMostFloats = 32768;
    const int64_t line_budget =
        (kMostFloats / line_floats / params.kernel[0] - span_h) / params.stride[1] + 1;
    rows =
        std::clamp<int64_t>(std::min(kMostPixels / params.out[2], line_budget), 1, params.out[1]);
    lines = (rows - 1) * params.stride[1] + span_h;
    block_pixels = std::min<int64_t>(std::max<int64_t>(4096 / sum.taps, 28), rows * params.out[2]);
    aligned = shape.group_out % shape.c0 == 0 || params.group == 1;
    refs_bytes = DivideUp(block_pixels * sum.taps * static_cast<int64_t>(sizeof(RowRef)), 64) * 64;
    lines_bytes = DivideUp(params.kernel[0] * lines * line_floats * 4, 64) * 64;
    sums_bytes = aligned ? 0 : block_pixels * shape.panels.vectors() * shape.c0 * 4;
  }
  int64_t share_bytes() const { return refs_bytes + lines_bytes + DivideUp(sums_bytes, 64) * 64; }

  ConvShape shape;
  SumShape sum;
  int64_t line_floats, line_pixels;
  int64_t rows;          ///< Output rows computed from one set of lines.
  int64_t lines;         ///< Source rows they need, per kernel plane.
  int64_t block_pixels;  ///< Pixels for which references are kept at once.
  bool aligned;          ///< A group's results fill whole channel blocks and are stored directly.
  int64_t refs_bytes, lines_bytes, sums_bytes;
};

/// What one share works with.
struct Gather {
  const ConvParams& params;
  const ConvBuffers& buffers;
  const GatherPlan& plan;
  RowRef* refs;
  float* lines;
  float* sums;
};

/// Copies pixels [x, x + width) of source row (d, h) of a group into `line`.
void CopyPixels(const Gather& g, int64_t image, int64_t group, int64_t d, int64_t h, int64_t x,
                int64_t width, float* line) {
  const ConvParams& params = g.params;
  const ConvShape& shape = g.plan.shape;
  const int64_t pixel = (d * params.in[1] + h) * params.in[2] + x;
  const int64_t channel = group * shape.group_in;
  if (params.plain_src) {
    const float* planes =
        g.buffers.src + (image * params.in_channels + channel) * shape.in_pixels + pixel;
    GetInterleave(params.isa)(planes, shape.in_pixels, shape.group_in, width, line);
    return;
  }
  for (int64_t c = 0; c < shape.group_in; ++c) {
    const int64_t block = image * shape.in_blocks + (channel + c) / shape.c0;
    const float* from =
        g.buffers.src + (block * shape.in_pixels + pixel) * shape.c0 + (channel + c) % shape.c0;
    for (int64_t i = 0; i < width; ++i) line[i * shape.group_in + c] = from[i * shape.c0];
  }
}

/// Fills lines [kernel plane][line] for output rows from (d, h) on.
void GatherLines(const Gather& g, int64_t image, int64_t group, int64_t d, int64_t h,
                 int64_t rows) {
  const ConvParams& params = g.params;
  const GatherPlan& plan = g.plan;
  const int64_t channels = plan.shape.group_in;
  const int64_t lines =
      (rows - 1) * params.stride[1] + (params.kernel[1] - 1) * params.dilation[1] + 1;
  const int64_t left = std::min(params.pad_begin[2], plan.line_pixels);
  const int64_t copied = std::clamp<int64_t>(plan.line_pixels - left, 0, params.in[2]);
  for (int64_t kd = 0; kd < params.kernel[0]; ++kd) {
    const int64_t in_d = d * params.stride[0] - params.pad_begin[0] + kd * params.dilation[0];
    for (int64_t l = 0; l < lines; ++l) {
      const int64_t in_h = h * params.stride[1] - params.pad_begin[1] + l;
      float* line = g.lines + (kd * plan.lines + l) * plan.line_floats;
      if (in_d < 0 || in_d >= params.in[0] || in_h < 0 || in_h >= params.in[1]) {
        std::fill_n(line, plan.line_floats, 0.0f);
        continue;
      }
      std::fill_n(line, left * channels, 0.0f);
      CopyPixels(g, image, group, in_d, in_h, 0, copied, line + left * channels);
      std::fill(line + (left + copied) * channels, line + plan.line_floats, 0.0f);
    }
  }
}

/// Fills the references of output pixels [begin, end), counted from the first gathered output row.
void FillRefs(const Gather& g, int64_t begin, int64_t end) {
  const ConvParams& params = g.params;
  const GatherPlan& plan = g.plan;
  const int64_t channels = plan.shape.group_in, step = params.stride[2] * channels;
  const int64_t kernel_w = params.dilation[2] == 1 ? 1 : params.kernel[2];
  for (int64_t pixel = begin; pixel < end;) {
    const int64_t row = pixel / params.out[2], w = pixel % params.out[2];
    const int64_t count = std::min(params.out[2] - w, end - pixel);
    RowRef* refs = g.refs + (pixel - begin);
    for (int64_t kd = 0; kd < params.kernel[0]; ++kd) {
      for (int64_t kh = 0; kh < params.kernel[1]; ++kh) {
        const int64_t line = kd * plan.lines + row * params.stride[1] + kh * params.dilation[1];
        const float* data = g.lines + line * plan.line_floats + w * step;
        for (int64_t kw = 0; kw < kernel_w; ++kw, refs += plan.block_pixels) {
          for (int64_t i = 0; i < count; ++i) refs[i] = {data + i * step, 0};
          data += params.dilation[2] * channels;
        }
      }
    }
    pixel += count;
  }
}

/// Moves the sums of a group to its lanes of the blocked result, on top of the residual.
void ScatterSums(const Gather& g, int64_t group, int64_t pixels, int64_t image_offset) {
  const ConvShape& shape = g.plan.shape;
  const int64_t width = shape.panels.vectors() * shape.c0;
  for (int64_t c = 0; c < shape.group_out; ++c) {
    const int64_t channel = group * shape.group_out + c;
    const int64_t offset =
        image_offset + channel / shape.c0 * shape.out_pixels * shape.c0 + channel % shape.c0;
    float* to = g.buffers.dst + offset;
    const float* residual = g.buffers.residual == nullptr ? nullptr : g.buffers.residual + offset;
    for (int64_t p = 0; p < pixels; ++p) {
      const float sum = g.sums[p * width + c];
      to[p * shape.c0] = residual == nullptr ? sum : residual[p * shape.c0] + sum;
    }
  }
}

/// Results of gathered pixels [begin, end); `dst_pixel` is the first one's index in its image.
void RunPixels(const Gather& g, SumJob job, int64_t image, int64_t group, int64_t begin,
               int64_t end, int64_t dst_pixel) {
  const ConvShape& shape = g.plan.shape;
  FillRefs(g, begin, end);
  RowBlock block = {.refs = g.refs,
                    .tap_stride = g.plan.block_pixels,
                    .rows = end - begin,
                    .row_index = image * shape.out_pixels + dst_pixel,
                    .col_index = group * shape.group_out};
  const int64_t image_offset = (image * shape.out_blocks * shape.out_pixels + dst_pixel) * shape.c0;
  if (g.plan.aligned) {
    const int64_t offset =
        image_offset + group * shape.group_out / shape.c0 * shape.out_pixels * shape.c0;
    block.dst = g.buffers.dst + offset;
    block.residual = g.buffers.residual == nullptr ? nullptr : g.buffers.residual + offset;
    RunTiles(job, block, {0, shape.panels.count()});
    return;
  }
  const Epilogue none;
  job.epilogue = &none;
  job.bias = nullptr;
  job.dst_row_stride = shape.panels.vectors() * shape.c0;
  job.dst_vector_stride = shape.c0;
  block.dst = g.sums;
  RunTiles(job, block, {0, shape.panels.count()});
  ScatterSums(g, group, end - begin, image_offset);
}

/// Bias, activation and hook of pixels whose sums have been scattered by all groups.
void FinishPixels(const Gather& g, SumJob job, int64_t image, int64_t dst_pixel, int64_t pixels) {
  const ConvShape& shape = g.plan.shape;
  const int64_t offset = (image * shape.out_blocks * shape.out_pixels + dst_pixel) * shape.c0;
  job.panels = {g.params.out_channels, shape.c0};
  job.bias = g.buffers.bias;
  FinishTiles(job,
              {.rows = pixels,
               .dst = g.buffers.dst + offset,
               .row_index = image * shape.out_pixels + dst_pixel},
              {0, job.panels.count()});
}

/// Output rows [h, h + rows) of plane d.
void RunRows(const Gather& g, SumJob& job, int64_t image, int64_t d, int64_t h, int64_t rows) {
  const ConvShape& shape = g.plan.shape;
  const int64_t first_pixel = (d * g.params.out[1] + h) * g.params.out[2];
  const int64_t pixels = rows * g.params.out[2];
  for (int64_t group = 0; group < g.params.group; ++group) {
    GatherLines(g, image, group, d, h, rows);
    job.weights = g.buffers.weights + group * shape.panels.packed_floats(job.sum.depth());
    job.bias = g.buffers.bias == nullptr ? nullptr : g.buffers.bias + group * shape.group_out;
    for (int64_t begin = 0; begin < pixels; begin += g.plan.block_pixels) {
      const int64_t end = std::min(begin + g.plan.block_pixels, pixels);
      RunPixels(g, job, image, group, begin, end, first_pixel + begin);
    }
  }
  if (!g.plan.aligned) FinishPixels(g, job, image, first_pixel, pixels);
}

}  // namespace

size_t GatheredConvWorkspaceBytes(const ConvParams& params, int num_parts) {
  return static_cast<size_t>(num_parts) * GatherPlan(params).share_bytes();
}

void RunGatheredConv(const ConvParams& params, const ConvBuffers& buffers, Part part) {
  const GatherPlan plan(params);
  char* workspace = static_cast<char*>(buffers.workspace) + part.index * plan.share_bytes();
  const Gather gather = {
      .params = params,
      .buffers = buffers,
      .plan = plan,
      .refs = reinterpret_cast<RowRef*>(workspace),
      .lines = reinterpret_cast<float*>(workspace + plan.refs_bytes),
      .sums = reinterpret_cast<float*>(workspace + plan.refs_bytes + plan.lines_bytes)};
  SumJob job = ConvJob(params);
  const Range rows = PartRange(params.batch * params.out[0] * params.out[1], 1, part);
  for (int64_t row = rows.begin; row < rows.end;) {
    const int64_t h = row % params.out[1], plane = row / params.out[1];
    const int64_t count = std::min({plan.rows, params.out[1] - h, rows.end - row});
    RunRows(gather, job, plane / params.out[0], plane % params.out[0], h, count);
    row += count;
  }
}

}  // namespace cairn::kernels
