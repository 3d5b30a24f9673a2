// SPDX-License-Identifier: Apache-2.0
// Pictures as interleaved 8-bit RGB: reading from files, scaling, cropping.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace cairn::image {

/// Rows from top to bottom, three bytes (red, green, blue) per pixel, no padding.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> pixels;

  Image() = default;
  Image(int w, int h, uint8_t fill = 0)
      : width(w), height(h), pixels(static_cast<size_t>(w) * h * 3, fill) {}
  uint8_t* at(int x, int y) { return &pixels[(static_cast<size_t>(y) * width + x) * 3]; }
  const uint8_t* at(int x, int y) const {
    return &pixels[(static_cast<size_t>(y) * width + x) * 3];
  }
};

/// Largest width and height that are read.
inline constexpr int kMaxSide = 32768;

/// Reads a JPEG, PNG, PGM or PPM file; grey becomes RGB, transparency is laid over white.
/// kIoError when the file cannot be read, kDataCorrupt or kUnsupported for its content.
Result<Image> ReadImage(const std::string& path);

Result<Image> DecodeJpeg(std::span<const uint8_t> bytes);
Result<Image> DecodePng(std::span<const uint8_t> bytes);
Result<Image> DecodePnm(std::span<const uint8_t> bytes);

/// Bilinear interpolation between pixel centres, edges repeated. Sizes are positive.
Image Resize(const Image& src, int width, int height);

/// The part of `src` with the top left corner (x, y); what lies outside of `src` is `fill`.
Image Crop(const Image& src, int x, int y, int width, int height, uint8_t fill = 0);

}  // namespace cairn::image
