// SPDX-License-Identifier: Apache-2.0
// Transposed convolution by register tiles over the output pixels of one remainder and line.
#include "kernels/conv_transpose/conv_transpose.h"

#include <algorithm>

#include "kernels/conv/conv_shape.h"
#include "kernels/conv_transpose/tap_sets.h"

namespace cairn::kernels {
namespace {

alignas(64) constexpr float kZeros[16] = {};
// References kept at once, and the rows of the smallest useful block.
constexpr int64_t kMostRefs = 4096;
constexpr int64_t kLeastRows = 28;

/// Groups that fill whole channel blocks are read and written in place; the channels of others are
/// gathered into pixel-major copies and their sums scattered.
bool InPlace(const ConvParams& params) {
  const ConvShape shape(params);
  return params.group == 1 || (shape.group_in % shape.c0 == 0 && shape.group_out % shape.c0 == 0);
}

/// Terms of one tap.
int64_t TapTerms(const ConvParams& params) { return params.in_channels / params.group; }

SumShape SetSum(const ConvParams& params, int64_t taps) {
  const ConvShape shape(params);
  return TappedSum(taps, shape.group_in, InPlace(params) ? shape.c0 : shape.group_in);
}

int64_t LineRows(const ConvParams& params) { return DivideUp(params.out[2], params.stride[2]); }

struct Sizes {
  explicit Sizes(const ConvParams& params) : shape(params) {
    block_rows = std::min(std::max(kMostRefs / shape.taps, kLeastRows), LineRows(params));
    refs_bytes = DivideUp(block_rows * shape.taps * static_cast<int64_t>(sizeof(RowRef)), 64) * 64;
    if (InPlace(params)) return;
    // One pixel more than the image, of zeros.
    gathered_bytes = DivideUp((shape.in_pixels + 1) * shape.group_in * 4, 64) * 64;
    sums_bytes = block_rows * shape.panels.vectors() * shape.c0 * 4;
    sums_bytes = DivideUp(sums_bytes, 64) * 64;
  }
  int64_t share_bytes() const { return refs_bytes + gathered_bytes + sums_bytes; }

  ConvShape shape;
  int64_t block_rows;  ///< Pixels of a line and remainder computed together.
  int64_t refs_bytes, gathered_bytes = 0, sums_bytes = 0;
};

struct Transposed {
  const ConvParams& params;
  const ConvBuffers& buffers;
  Sizes sizes;
  TapSets taps;
  RowRef* refs;
  float* gathered;
  float* sums;
};

/// A source image of one group, its pixel and block distances, and what padding reads.
struct Source {
  const float* data;
  int64_t pixel_stride;
  int64_t block_stride;
  const float* zeros;
};

/// A line of output pixels of one image.
struct Line {
  int64_t image, d, h;
};

/// The output pixels w = first, first + stride, ... of a line whose remainder is that of `first`.
struct PixelSet {
  Spatial remainder;
  int64_t first;
  int64_t count;
};

PixelSet SetOf(const ConvParams& p, const Line& line, int64_t first) {
  return {.remainder = {(line.d + p.pad_begin[0]) % p.stride[0],
                        (line.h + p.pad_begin[1]) % p.stride[1],
                        (first + p.pad_begin[2]) % p.stride[2]},
          .first = first,
          .count = DivideUp(p.out[2] - first, p.stride[2])};
}

/// Fills refs[tap * rows + row] for pixels [begin, begin + rows) of a set.
void FillRefs(const Transposed& t, const Source& source, const Line& line, const PixelSet& set,
              int64_t begin, int64_t rows) {
  const ConvParams& p = t.params;
  RowRef* refs = t.refs;
  t.taps.ForEach(set.remainder, [&](const Spatial& k) {
    const Spatial out = {line.d, line.h, set.first + begin * p.stride[2]};
    Spatial in;
    for (int i = 0; i < 3; ++i) {
      // Divisible by the choice of the tap; the quotient may lie outside the source on either side.
      in[i] = (out[i] + p.pad_begin[i] - k[i] * p.dilation[i]) / p.stride[i];
    }
    const bool inside = in[0] >= 0 && in[0] < p.in[0] && in[1] >= 0 && in[1] < p.in[1];
    for (int64_t r = 0; r < rows; ++r) {
      const int64_t w = in[2] + r;
      const int64_t pixel = (in[0] * p.in[1] + in[1]) * p.in[2] + w;
      refs[r] = inside && w >= 0 && w < p.in[2]
                    ? RowRef{source.data + pixel * source.pixel_stride, source.block_stride}
                    : RowRef{source.zeros, 0};
    }
    refs += rows;
  });
}

int64_t DstOffset(const Transposed& t, const Line& line, int64_t block) {
  const ConvShape& shape = t.sizes.shape;
  const int64_t pixel = (line.d * t.params.out[1] + line.h) * t.params.out[2];
  return ((line.image * shape.out_blocks + block) * shape.out_pixels + pixel) * shape.c0;
}

/// The job of the pixel sets of a group: everything but what depends on the set.
SumJob GroupJob(const Transposed& t, int64_t group) {
  const ConvShape& shape = t.sizes.shape;
  return {.tiles = GetTileTable(t.params.isa),
          .panels = shape.panels,
          .weights = t.buffers.weights +
                     group * shape.panels.packed_floats(shape.taps * TapTerms(t.params)),
          .bias = t.buffers.bias == nullptr ? nullptr : t.buffers.bias + group * shape.group_out,
          .dst_row_stride = t.params.stride[2] * shape.c0,
          .dst_vector_stride = shape.out_pixels * shape.c0,
          .zero_tail = true};
}

/// Restricts a group's job to the taps of one remainder.
SumJob SetJob(const Transposed& t, SumJob job, const Spatial& remainder) {
  job.sum = SetSum(t.params, t.taps.count(remainder));
  job.weights += job.panels.packed_floats(t.taps.before(remainder) * TapTerms(t.params));
  return job;
}

/// All pixels of a line for some panels of a group, results stored in place.
void RunLine(const Transposed& t, const SumJob& group_job, int64_t group, const Line& line,
             Range panels) {
  const ConvParams& p = t.params;
  const ConvShape& shape = t.sizes.shape;
  const int64_t in_block = line.image * shape.in_blocks + group * (shape.group_in / shape.c0);
  const Source source = {.data = t.buffers.src + in_block * shape.in_pixels * shape.c0,
                         .pixel_stride = shape.c0,
                         .block_stride = shape.in_pixels * shape.c0,
                         .zeros = kZeros};
  const int64_t line_offset = DstOffset(t, line, group * (shape.group_out / shape.c0));
  Epilogue registers = p.epilogue;
  registers.hook = {};
  for (int64_t first = 0; first < std::min(p.stride[2], p.out[2]); ++first) {
    const PixelSet set = SetOf(p, line, first);
    SumJob job = SetJob(t, group_job, set.remainder);
    job.epilogue = &registers;
    for (int64_t begin = 0; begin < set.count; begin += t.sizes.block_rows) {
      const int64_t rows = std::min(t.sizes.block_rows, set.count - begin);
      FillRefs(t, source, line, set, begin, rows);
      const int64_t offset = line_offset + (first + begin * p.stride[2]) * shape.c0;
      RunTiles(job,
               {.refs = t.refs,
                .tap_stride = rows,
                .rows = rows,
                .dst = t.buffers.dst + offset,
                .residual = t.buffers.residual == nullptr ? nullptr : t.buffers.residual + offset},
               panels);
    }
  }
  SumJob whole = group_job;
  whole.epilogue = &p.epilogue;
  whole.dst_row_stride = shape.c0;
  const int64_t pixel = (line.d * p.out[1] + line.h) * p.out[2];
  ApplyHook(whole,
            {.rows = p.out[2],
             .dst = t.buffers.dst + line_offset,
             .row_index = line.image * shape.out_pixels + pixel,
             .col_index = group * shape.group_out},
            panels);
}

void RunInPlace(const Transposed& t, Part part) {
  const ConvParams& p = t.params;
  const int64_t count = t.sizes.shape.panels.count();
  const GridShare share = ShareGrid(p.batch * p.out[0] * p.out[1], 1, p.group * count, part);
  for (int64_t unit = share.panels.begin; unit < share.panels.end;) {
    const int64_t group = unit / count, first = unit % count;
    const int64_t last = std::min(count, first + share.panels.end - unit);
    const SumJob job = GroupJob(t, group);
    for (int64_t i = share.rows.begin; i < share.rows.end; ++i) {
      const int64_t plane = i / p.out[1];
      RunLine(t, job, group, {plane / p.out[0], plane % p.out[0], i % p.out[1]}, {first, last});
    }
    unit += last - first;
  }
}

/// Copies the channels of a group pixel by pixel, and a pixel of zeros.
void GatherGroup(const Transposed& t, int64_t image, int64_t group) {
  const ConvShape& shape = t.sizes.shape;
  std::fill_n(t.gathered + shape.in_pixels * shape.group_in, shape.group_in, 0.0f);
  for (int64_t c = 0; c < shape.group_in; ++c) {
    const int64_t channel = group * shape.group_in + c;
    const int64_t block = image * shape.in_blocks + channel / shape.c0;
    const float* from = t.buffers.src + block * shape.in_pixels * shape.c0 + channel % shape.c0;
    float* to = t.gathered + c;
    for (int64_t i = 0; i < shape.in_pixels; ++i) to[i * shape.group_in] = from[i * shape.c0];
  }
}

/// Adds the residual to the sums of `rows` pixels and moves them to their lanes.
void ScatterSums(const Transposed& t, int64_t group, const Line& line, int64_t pixel,
                 int64_t rows) {
  const ConvShape& shape = t.sizes.shape;
  const int64_t width = shape.panels.vectors() * shape.c0, step = t.params.stride[2] * shape.c0;
  for (int64_t c = 0; c < shape.group_out; ++c) {
    const int64_t channel = group * shape.group_out + c;
    const int64_t offset =
        DstOffset(t, line, channel / shape.c0) + pixel * shape.c0 + channel % shape.c0;
    for (int64_t r = 0; r < rows; ++r) {
      const float sum = t.sums[r * width + c];
      const int64_t at = offset + r * step;
      t.buffers.dst[at] = t.buffers.residual == nullptr ? sum : t.buffers.residual[at] + sum;
    }
  }
}

/// The sums of one group of one image, scattered to its lanes without bias and activation.
void RunGathered(const Transposed& t, int64_t image, int64_t group) {
  const ConvParams& p = t.params;
  const ConvShape& shape = t.sizes.shape;
  GatherGroup(t, image, group);
  const Source source = {.data = t.gathered,
                         .pixel_stride = shape.group_in,
                         .block_stride = 0,
                         .zeros = t.gathered + shape.in_pixels * shape.group_in};
  const Epilogue none;
  SumJob group_job = GroupJob(t, group);
  group_job.bias = nullptr;
  group_job.epilogue = &none;
  group_job.dst_row_stride = shape.panels.vectors() * shape.c0;
  group_job.dst_vector_stride = shape.c0;
  for (int64_t i = 0; i < p.out[0] * p.out[1]; ++i) {
    const Line line = {image, i / p.out[1], i % p.out[1]};
    for (int64_t first = 0; first < std::min(p.stride[2], p.out[2]); ++first) {
      const PixelSet set = SetOf(p, line, first);
      const SumJob job = SetJob(t, group_job, set.remainder);
      for (int64_t begin = 0; begin < set.count; begin += t.sizes.block_rows) {
        const int64_t rows = std::min(t.sizes.block_rows, set.count - begin);
        FillRefs(t, source, line, set, begin, rows);
        RunTiles(job, {.refs = t.refs, .tap_stride = rows, .rows = rows, .dst = t.sums},
                 {0, shape.panels.count()});
        ScatterSums(t, group, line, first + begin * p.stride[2], rows);
      }
    }
  }
}

/// Bias, activation and hook for a share of the lines whose sums all groups have scattered.
void FinishLines(const Transposed& t, Part part) {
  const ConvParams& p = t.params;
  const ConvShape& shape = t.sizes.shape;
  SumJob job = GroupJob(t, 0);
  job.panels = {p.out_channels, shape.c0};
  job.epilogue = &p.epilogue;
  job.dst_row_stride = shape.c0;
  const Range lines = PartRange(p.batch * p.out[0] * p.out[1], 1, part);
  for (int64_t i = lines.begin; i < lines.end; ++i) {
    const int64_t plane = i / p.out[1];
    const Line line = {plane / p.out[0], plane % p.out[0], i % p.out[1]};
    FinishTiles(
        job,
        {.rows = p.out[2], .dst = t.buffers.dst + DstOffset(t, line, 0), .row_index = i * p.out[2]},
        {0, job.panels.count()});
  }
}

}  // namespace

int64_t ConvTransposePackedFloats(const ConvParams& params) {
  const ConvShape shape(params);
  return params.group * shape.panels.packed_floats(shape.taps * TapTerms(params));
}

void PackConvTranspose(const ConvParams& params, const float* weights, float* packed) {
  const ConvShape shape(params);
  const TapSets taps(params);
  const int64_t terms = TapTerms(params);
  std::fill_n(packed, ConvTransposePackedFloats(params), 0.0f);
  const auto pack_set = [&](int64_t group, const Spatial& remainder) {
    const int64_t depth = taps.count(remainder) * terms;
    float* set = packed + shape.panels.packed_floats(group * shape.taps * terms +
                                                     taps.before(remainder) * terms);
    for (int64_t o = 0; o < shape.group_out; ++o) {
      const int64_t panel = std::min(o / (2 * shape.c0), shape.panels.count() - 1);
      const int64_t width = shape.panels.panel_vectors(panel) * shape.c0;
      float* to = set + shape.panels.offset(panel, depth) +
                  (o - shape.panels.first_vector(panel) * shape.c0);
      taps.ForEach(remainder, [&](const Spatial& k) {
        const int64_t tap = (k[0] * params.kernel[1] + k[1]) * params.kernel[2] + k[2];
        for (int64_t c = 0; c < shape.group_in; ++c) {
          const int64_t row = (group * shape.group_in + c) * shape.group_out + o;
          to[c * width] = weights[row * shape.taps + tap];
        }
        to += terms * width;
      });
    }
  };
  for (int64_t group = 0; group < params.group; ++group) {
    for (int64_t d = 0; d < params.stride[0]; ++d) {
      for (int64_t h = 0; h < params.stride[1]; ++h) {
        for (int64_t w = 0; w < params.stride[2]; ++w) pack_set(group, {d, h, w});
      }
    }
  }
}

size_t ConvTransposeWorkspaceBytes(const ConvParams& params, int num_parts) {
  return static_cast<size_t>(num_parts) * Sizes(params).share_bytes();
}

int ConvTransposePhases(const ConvParams& params) { return InPlace(params) ? 1 : 2; }

void RunConvTranspose(const ConvParams& params, const ConvBuffers& buffers, int phase, Part part) {
  const Sizes sizes(params);
  char* workspace = static_cast<char*>(buffers.workspace) + part.index * sizes.share_bytes();
  const Transposed t = {
      .params = params,
      .buffers = buffers,
      .sizes = sizes,
      .taps = TapSets(params),
      .refs = reinterpret_cast<RowRef*>(workspace),
      .gathered = reinterpret_cast<float*>(workspace + sizes.refs_bytes),
      .sums = reinterpret_cast<float*>(workspace + sizes.refs_bytes + sizes.gathered_bytes)};
  if (InPlace(params)) {
    RunInPlace(t, part);
  } else if (phase == 0) {
    const Range units = PartRange(params.batch * params.group, 1, part);
    for (int64_t unit = units.begin; unit < units.end; ++unit) {
      RunGathered(t, unit / params.group, unit % params.group);
    }
  } else {
    FinishLines(t, part);
  }
}

double EstimateConvTransposeCycles(const ConvParams& params) {
  const ConvShape shape(params);
  const double pixels = static_cast<double>(params.batch * shape.out_pixels * params.group);
  const double strides = static_cast<double>(Volume(params.stride));
  const double terms = pixels / strides * static_cast<double>(shape.taps * TapTerms(params)) *
                       static_cast<double>(shape.panels.vectors() * shape.c0);
  const double refs = pixels / strides * static_cast<double>(shape.taps) * 3.0;
  const double copies =
      InPlace(params)
          ? 0.0
          : static_cast<double>(params.batch) *
                (shape.in_pixels * params.in_channels + shape.out_pixels * params.out_channels);
  return TileCycles(terms, shape.c0) * 1.05 + refs + copies + 500.0;
}

}  // namespace cairn::kernels
