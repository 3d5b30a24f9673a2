// SPDX-License-Identifier: Apache-2.0
// From a picture to the normalised planes that the networks take.
#pragma once

#include <array>
#include <vector>

#include "image/image.h"

namespace ocr {

/// Per channel of the network, in the order blue, green, red, for values 0..1.
struct Normalization {
  std::array<float, 3> mean;
  std::array<float, 3> std_dev;
};

/// The picture in the top left corner of [3, height, width]; what it does not cover is 0.
/// The picture must not be larger.
std::vector<float> ToPlanes(const cairn::image::Image& picture, int height, int width,
                            const Normalization& normalization);

}  // namespace ocr
