// SPDX-License-Identifier: Apache-2.0
// Channel order, layout and scaling of the tensor.
#include "img2bin/tensor.h"

#include <cmath>
#include <cstring>

namespace cairn::img2bin {
namespace {

/// ITU-R BT.601 luma.
uint8_t Luma(const uint8_t* rgb) {
  return static_cast<uint8_t>(std::lround(0.299f * rgb[0] + 0.587f * rgb[1] + 0.114f * rgb[2]));
}

uint8_t Channel(const uint8_t* rgb, Color color, int c) {
  switch (color) {
    case Color::kRgb:
      return rgb[c];
    case Color::kBgr:
      return rgb[2 - c];
    case Color::kGray:
      break;
  }
  return Luma(rgb);
}

}  // namespace

std::vector<uint8_t> ToTensor(const image::Image& picture, const TensorSpec& spec) {
  const int channels = spec.color == Color::kGray ? 1 : 3;
  const size_t plane = static_cast<size_t>(picture.width) * picture.height;
  const size_t element_bytes = spec.type == Type::kF32 ? sizeof(float) : 1;
  std::vector<uint8_t> bytes(plane * channels * element_bytes);
  for (size_t pixel = 0; pixel < plane; ++pixel) {
    for (int c = 0; c < channels; ++c) {
      const uint8_t value = Channel(&picture.pixels[pixel * 3], spec.color, c);
      const size_t index = spec.layout == Layout::kNchw ? c * plane + pixel : pixel * channels + c;
      if (spec.type == Type::kU8) {
        bytes[index] = value;
      } else {
        const float element = (static_cast<float>(value) - spec.mean[c]) * spec.scale[c];
        std::memcpy(&bytes[index * sizeof(float)], &element, sizeof(float));
      }
    }
  }
  return bytes;
}

}  // namespace cairn::img2bin
