// SPDX-License-Identifier: Apache-2.0
// Formats of pixels, and one pixel's way.
#include "img2bin/aipp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>

#include "frontend/aipp/config.h"

namespace cairn::img2bin {
namespace {

uint8_t Byte(double value) {
  return static_cast<uint8_t>(std::clamp(std::lround(value), 0l, 255l));
}

struct Yuv {
  double y, u, v;
};

Yuv ToYuv(const uint8_t* rgb, bool narrow) {
  const double r = rgb[0], g = rgb[1], b = rgb[2];
  const double y = 0.299 * r + 0.587 * g + 0.114 * b;
  const double u = (b - y) / 1.772, v = (r - y) / 1.402;
  if (!narrow) return {y, u + 128, v + 128};
  return {16 + y * 219 / 255, 128 + u * 224 / 255, 128 + v * 224 / 255};
}

std::vector<uint8_t> ToYuvBytes(const image::Image& picture, const AippFrame& f) {
  const bool narrow = f.input_bias[0] != 0;
  std::vector<uint8_t> bytes(static_cast<size_t>(f.bytes()));
  const size_t width = static_cast<size_t>(f.src_w), height = static_cast<size_t>(f.src_h);
  for (size_t y = 0; y < height; ++y) {
    for (size_t x = 0; x < width; ++x) {
      const Yuv yuv = ToYuv(picture.at(static_cast<int>(x), static_cast<int>(y)), narrow);
      bytes[y * width + x] = Byte(yuv.y);
      if (f.format != PixelFormat::kYuv420Sp || x % 2 != 0 || y % 2 != 0) continue;
      uint8_t* pair = &bytes[height * width + y / 2 * width + x];
      pair[f.rbuv_swap ? 1 : 0] = Byte(yuv.u);
      pair[f.rbuv_swap ? 0 : 1] = Byte(yuv.v);
    }
  }
  return bytes;
}

std::string Channels(const std::array<double, 4>& values, size_t count) {
  std::vector<std::string> list;
  for (size_t c = 0; c < count; ++c) list.push_back(StrCat(values[c]));
  return StrJoin(list, ", ");
}

/// The bytes of a pixel as stored.
std::array<double, 4> Stored(const std::vector<uint8_t>& bytes, const AippFrame& f, int x, int y) {
  const auto at = static_cast<size_t>(y) * static_cast<size_t>(f.src_w) + static_cast<size_t>(x);
  std::array<double, 4> p{};
  if (f.is_yuv()) {
    p[0] = bytes[at];
    if (f.format == PixelFormat::kYuv400) return p;
    const size_t chroma = static_cast<size_t>(f.src_w) * static_cast<size_t>(f.src_h) +
                          static_cast<size_t>(y / 2 * f.src_w + x / 2 * 2);
    p[1] = bytes[chroma];
    p[2] = bytes[chroma + 1];
    return p;
  }
  const auto size = static_cast<size_t>(PixelBytes(f.format));
  for (size_t c = 0; c < size; ++c) p[c] = bytes[at * size + c];
  return p;
}

std::array<double, 4> Converted(const std::array<double, 4>& p, const AippFrame& f) {
  std::array<double, 4> q{};
  for (size_t row = 0; row < 3; ++row) {
    int sum = 0;
    for (size_t k = 0; k < 3; ++k)
      sum += f.matrix[3 * row + k] * (static_cast<int>(p[k]) - (f.is_yuv() ? f.input_bias[k] : 0));
    sum = (sum >> 8) + (f.is_yuv() ? 0 : f.output_bias[row]);
    q[row] = std::clamp(sum, 0, 255);
  }
  return q;
}

}  // namespace

Result<AippFrame> ReadAippFrame(const std::string& path, const image::Image& picture) {
  std::ifstream file(path);
  if (!file) return Status(Code::kIoError, StrCat(path, ": cannot be read"));
  std::ostringstream text;
  text << file.rdbuf();
  const auto ops = aipp::ParseAippConfig(text.str());
  if (!ops.ok()) return ops.status().WithContext(path);
  for (const aipp::AippOp& op : *ops) {
    if (op.dynamic) continue;
    AippFrame frame = op.frame;
    aipp::ResolveSizes(picture.height, picture.width, frame);
    const int channels = frame.format == PixelFormat::kYuv400 ? 1 : 3;
    const Status rules = CheckAippFrame(frame, channels);
    if (!rules.ok()) return rules.WithContext(path);
    return frame;
  }
  return Status(Code::kInvalidArgument, StrCat(path, ": no aipp_op is static"));
}

std::vector<uint8_t> ToAippBytes(const image::Image& picture, const AippFrame& f) {
  if (f.is_yuv()) return ToYuvBytes(picture, f);
  const bool has_x = f.format == PixelFormat::kXrgb8888;
  std::vector<uint8_t> bytes;
  bytes.reserve(static_cast<size_t>(f.bytes()));
  for (int y = 0; y < f.src_h; ++y) {
    for (int x = 0; x < f.src_w; ++x) {
      const uint8_t* rgb = picture.at(x, y);
      if (has_x && f.ax_swap) bytes.push_back(0);
      bytes.push_back(rgb[f.rbuv_swap ? 2 : 0]);
      bytes.push_back(rgb[1]);
      bytes.push_back(rgb[f.rbuv_swap ? 0 : 2]);
      if (has_x && !f.ax_swap) bytes.push_back(0);
    }
  }
  return bytes;
}

std::string TracePixel(const std::vector<uint8_t>& bytes, const AippFrame& f, int x, int y) {
  const size_t stored = f.format == PixelFormat::kYuv400   ? 1
                        : f.format == PixelFormat::kXrgb8888 ? 4
                                                             : 3;
  std::array<double, 4> p = Stored(bytes, f, x, y);
  std::string text = StrCat("pixel (", x, ", ", y, ") of ", PixelFormatName(f.format), ": ",
                            Channels(p, stored), "\n");
  if (stored == 4 && f.ax_swap) p = {p[1], p[2], p[3], p[0]};
  if (stored > 1 && f.rbuv_swap) f.is_yuv() ? std::swap(p[1], p[2]) : std::swap(p[0], p[2]);
  if (f.ax_swap || f.rbuv_swap) text += StrCat("  swapped:    ", Channels(p, stored), "\n");
  const bool inside = !f.crop || (x >= f.crop_x && x < f.crop_x + f.crop_w && y >= f.crop_y &&
                                  y < f.crop_y + f.crop_h);
  if (!inside) return text + "  cut away\n";
  const size_t shown = stored == 1 ? 1 : 3;
  if (f.csc) {
    p = Converted(p, f);
    text += StrCat("  converted:  ", Channels(p, shown), "\n");
  }
  for (size_t c = 0; c < shown; ++c) {
    std::array<float, 256> table;
    NormalizationTable(f, static_cast<int>(c), table);
    p[c] = table[static_cast<size_t>(p[c])];
  }
  text += StrCat("  normalised: ", Channels(p, shown), "\n");
  const int left = f.padding ? f.pad_left : 0, top = f.padding ? f.pad_top : 0;
  return text + StrCat("  written to: (", x - (f.crop ? f.crop_x : 0) + left, ", ",
                       y - (f.crop ? f.crop_y : 0) + top, ") of ", f.out_w(), " x ", f.out_h(),
                       "\n");
}

}  // namespace cairn::img2bin
