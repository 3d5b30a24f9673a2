// SPDX-License-Identifier: Apache-2.0
// Rows of pre-processed images: pixels to bytes per channel, then through tables.
#include "kernels/aipp/aipp.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/half.h"

namespace cairn::kernels {
namespace {

constexpr int64_t kMaxWidth = 4096;
constexpr int kMaxChannels = 4;

/// One source row as a byte per pixel and channel.
struct Planes {
  std::array<std::array<uint8_t, kMaxWidth>, kMaxChannels> channel;
};

/// Pixels [x, x + count) of source row `y`, swapped.
void ReadRow(const AippFrame& f, const uint8_t* image, int64_t y, int64_t x, int64_t count,
             Planes& row) {
  if (f.is_yuv()) {
    const uint8_t* luma = image + y * f.src_w + x;
    std::copy_n(luma, count, row.channel[0].data());
    if (f.format == PixelFormat::kYuv400) return;
    const uint8_t* chroma = image + int64_t{f.src_w} * f.src_h + y / 2 * f.src_w;
    const int first = f.rbuv_swap ? 1 : 0;
    for (int64_t i = 0; i < count; ++i) {
      const uint8_t* pair = chroma + (x + i) / 2 * 2;
      row.channel[1][static_cast<size_t>(i)] = pair[first];
      row.channel[2][static_cast<size_t>(i)] = pair[1 - first];
    }
    return;
  }
  const int size = PixelBytes(f.format);
  const uint8_t* pixels = image + (y * f.src_w + x) * size;
  // Source byte of each channel.
  std::array<int, kMaxChannels> from = {0, 1, 2, 3};
  if (size == 4 && f.ax_swap) from = {1, 2, 3, 0};
  if (f.rbuv_swap) std::swap(from[0], from[2]);
  for (int c = 0; c < size; ++c) {
    uint8_t* dst = row.channel[static_cast<size_t>(c)].data();
    const uint8_t* src = pixels + from[static_cast<size_t>(c)];
    for (int64_t i = 0; i < count; ++i) dst[i] = src[i * size];
  }
}

/// Converts the first three channels in place.
void ConvertRow(const AippFrame& f, int64_t count, Planes& row) {
  int m[9], subtract[3] = {}, add[3] = {};
  for (size_t k = 0; k < 9; ++k) m[k] = f.matrix[k];
  for (size_t k = 0; k < 3; ++k) {
    if (f.is_yuv())
      subtract[k] = f.input_bias[k];
    else
      add[k] = f.output_bias[k];
  }
  uint8_t *a = row.channel[0].data(), *b = row.channel[1].data(), *c = row.channel[2].data();
  for (int64_t i = 0; i < count; ++i) {
    const int x = a[i] - subtract[0], y = b[i] - subtract[1], z = c[i] - subtract[2];
    const int p = ((m[0] * x + m[1] * y + m[2] * z) >> 8) + add[0];
    const int q = ((m[3] * x + m[4] * y + m[5] * z) >> 8) + add[1];
    const int r = ((m[6] * x + m[7] * y + m[8] * z) >> 8) + add[2];
    a[i] = static_cast<uint8_t>(std::clamp(p, 0, 255));
    b[i] = static_cast<uint8_t>(std::clamp(q, 0, 255));
    c[i] = static_cast<uint8_t>(std::clamp(r, 0, 255));
  }
}

template <class T>
T FromFloat(float value) {
  if constexpr (sizeof(T) == 2) return F32ToF16(value);
  if constexpr (sizeof(T) == 1) return static_cast<T>(std::clamp(value, 0.0f, 255.0f));
  return static_cast<T>(value);
}

/// Results of every byte in each channel.
template <class T>
struct Tables {
  explicit Tables(const AippFrame& f) {
    for (int c = 0; c < kMaxChannels; ++c) {
      std::array<float, 256> values;
      NormalizationTable(f, c, values);
      for (size_t x = 0; x < 256; ++x)
        table[static_cast<size_t>(c)][x] =
            sizeof(T) == 1 ? static_cast<T>(x) : FromFloat<T>(values[x]);
    }
    pad = FromFloat<T>(f.pad_value);
  }
  std::array<std::array<T, 256>, kMaxChannels> table;
  T pad;
};

/// Rows [begin, end) of image `n`.
template <class T>
void RunRows(const AippParams& p, const AippFrame& f, const uint8_t* image, int64_t n,
             int64_t begin, int64_t end, T* dst) {
  const Tables<T> tables(f);
  const int64_t top = f.padding ? f.pad_top : 0, left = f.padding ? f.pad_left : 0;
  const int64_t x = f.crop ? f.crop_x : 0, y = f.crop ? f.crop_y : 0, count = f.cropped_w();
  Planes row;
  for (int64_t line = begin; line < end; ++line) {
    const int64_t source = line - top;
    const bool inside = source >= 0 && source < f.cropped_h();
    if (inside) ReadRow(f, image, y + source, x, count, row);
    if (inside && f.csc) ConvertRow(f, count, row);
    for (int64_t c = 0; c < p.channels; ++c) {
      T* to = dst + ((n * p.channels + c) * p.height + line) * p.width;
      if (!inside) {
        std::fill_n(to, p.width, tables.pad);
        continue;
      }
      std::fill_n(to, left, tables.pad);
      const uint8_t* bytes = row.channel[static_cast<size_t>(c)].data();
      const T* table = tables.table[static_cast<size_t>(c)].data();
      for (int64_t i = 0; i < count; ++i) to[left + i] = table[bytes[i]];
      std::fill_n(to + left + count, p.width - left - count, tables.pad);
    }
  }
}

bool Fits(const AippParams& p, const AippFrame& f) {
  return f.out_h() == p.height && f.out_w() == p.width && f.cropped_w() <= kMaxWidth;
}

/// The frame of image `n` and where the image begins.
bool FindFrame(const AippParams& p, const AippBuffers& b, int64_t n, AippFrame& frame,
               size_t& offset) {
  if (!p.dynamic) {
    frame = p.frame;
    offset = static_cast<size_t>(n * frame.bytes());
    return true;
  }
  const std::span<const std::byte> block(b.block, p.block_bytes);
  // All images have one size: only crop, padding and normalisation differ.
  if (!ReadAippFrame(block, static_cast<size_t>(n), frame).ok()) return false;
  if (!CheckAippFrame(frame, p.channels).ok() || !Fits(p, frame)) return false;
  offset = static_cast<size_t>(n * frame.bytes());
  return offset + static_cast<size_t>(frame.bytes()) <= p.image_bytes;
}

template <class T>
bool Run(const AippParams& p, const AippBuffers& b, Range rows) {
  while (rows.begin < rows.end) {
    const int64_t n = rows.begin / p.height, begin = rows.begin % p.height;
    const int64_t end = std::min(p.height, begin + rows.end - rows.begin);
    AippFrame frame;
    size_t offset = 0;
    if (!FindFrame(p, b, n, frame, offset)) return false;
    RunRows(p, frame, b.images + offset, n, begin, end, static_cast<T*>(b.dst));
    rows.begin += end - begin;
  }
  return true;
}

}  // namespace

bool RunAipp(const AippParams& p, const AippBuffers& b, Part part) {
  const Range rows = PartRange(p.batch * p.height, 1, part);
  switch (p.result) {
    case AippResult::kF16:
      return Run<uint16_t>(p, b, rows);
    case AippResult::kU8:
      return Run<uint8_t>(p, b, rows);
    case AippResult::kF32:
      break;
  }
  return Run<float>(p, b, rows);
}

}  // namespace cairn::kernels
