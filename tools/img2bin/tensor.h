// SPDX-License-Identifier: Apache-2.0
// From a picture to the bytes of a network's input.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "image/image.h"

namespace cairn::img2bin {

enum class Layout { kNchw, kNhwc };
enum class Color { kRgb, kBgr, kGray };
enum class Type { kF32, kU8 };

struct TensorSpec {
  Layout layout = Layout::kNchw;
  Color color = Color::kRgb;
  Type type = Type::kF32;
  /// Element = (pixel - mean) * scale, in the order of `color`; f32 only.
  std::array<float, 3> mean{0, 0, 0};
  std::array<float, 3> scale{1, 1, 1};
};

/// The tensor of one picture (batch 1), little-endian, without padding.
std::vector<uint8_t> ToTensor(const image::Image& picture, const TensorSpec& spec);

}  // namespace cairn::img2bin
