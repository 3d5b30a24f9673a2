// SPDX-License-Identifier: Apache-2.0
// From the detection network's probability map to boxes around lines of text.
#pragma once

#include <span>
#include <vector>

#include "ocr/rotated_box.h"

namespace ocr {

struct RegionRules {
  float pixel_threshold = 0.3f;   ///< A pixel above it belongs to text.
  float region_threshold = 0.6f;  ///< Least mean probability of a region.
  float growth = 1.5f;            ///< Regions are shrunk text: grow by area * growth / perimeter.
  float least_side = 3;           ///< Of a box before growth, pixels.
};

struct TextRegion {
  RotatedBox box;
  float score = 0;
};

/// Boxes of the connected regions of `map` ([height, width]), top to bottom, then left to right.
std::vector<TextRegion> FindTextRegions(std::span<const float> map, int height, int width,
                                        const RegionRules& rules);

}  // namespace ocr
