// SPDX-License-Identifier: Apache-2.0
// Normalisation and channel order.
#include "ocr/tensor.h"

namespace ocr {

std::vector<float> ToPlanes(const cairn::image::Image& picture, int height, int width,
                            const Normalization& normalization) {
  const size_t plane = static_cast<size_t>(height) * width;
  std::vector<float> planes(3 * plane, 0.0f);
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      const uint8_t* rgb = picture.at(x, y);
      for (size_t c = 0; c < 3; ++c) {
        const float value = static_cast<float>(rgb[2 - c]) / 255.0f;
        planes[c * plane + static_cast<size_t>(y) * width + x] =
            (value - normalization.mean[c]) / normalization.std_dev[c];
      }
    }
  }
  return planes;
}

}  // namespace ocr
