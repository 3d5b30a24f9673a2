// SPDX-License-Identifier: Apache-2.0
// Scaling and cropping.
#include <algorithm>
#include <cmath>

#include "image/image.h"

namespace cairn::image {
namespace {

/// The two source positions and the weight of the second one for a target position.
struct Tap {
  int first, second;
  float weight;
};

std::vector<Tap> Taps(int src_size, int dst_size) {
  std::vector<Tap> taps(dst_size);
  const float scale = static_cast<float>(src_size) / static_cast<float>(dst_size);
  for (int i = 0; i < dst_size; ++i) {
    const float center = (static_cast<float>(i) + 0.5f) * scale - 0.5f;
    const float position = std::clamp(center, 0.0f, static_cast<float>(src_size - 1));
    const int first = static_cast<int>(position);
    taps[i] = {first, std::min(first + 1, src_size - 1), position - static_cast<float>(first)};
  }
  return taps;
}

}  // namespace

Image Resize(const Image& src, int width, int height) {
  const std::vector<Tap> columns = Taps(src.width, width);
  const std::vector<Tap> rows = Taps(src.height, height);
  Image dst(width, height);
  for (int y = 0; y < height; ++y) {
    const Tap& row = rows[y];
    for (int x = 0; x < width; ++x) {
      const Tap& column = columns[x];
      for (int c = 0; c < 3; ++c) {
        const float top =
            std::lerp(static_cast<float>(src.at(column.first, row.first)[c]),
                      static_cast<float>(src.at(column.second, row.first)[c]), column.weight);
        const float bottom =
            std::lerp(static_cast<float>(src.at(column.first, row.second)[c]),
                      static_cast<float>(src.at(column.second, row.second)[c]), column.weight);
        dst.at(x, y)[c] = static_cast<uint8_t>(std::lround(std::lerp(top, bottom, row.weight)));
      }
    }
  }
  return dst;
}

Image Crop(const Image& src, int x, int y, int width, int height, uint8_t fill) {
  Image dst(width, height, fill);
  const int left = std::max(0, -x);
  const int right = std::min(width, src.width - x);
  if (left >= right) return dst;
  for (int row = std::max(0, -y); row < std::min(height, src.height - y); ++row)
    std::copy_n(src.at(x + left, y + row), (right - left) * 3, dst.at(left, row));
  return dst;
}

}  // namespace cairn::image
