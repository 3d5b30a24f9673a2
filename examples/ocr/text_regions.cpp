// SPDX-License-Identifier: Apache-2.0
// Threshold, connected components, boxes (the post-processing of differentiable binarisation).
#include "ocr/text_regions.h"

#include <algorithm>
#include <cmath>

namespace ocr {
namespace {

struct Region {
  std::vector<Point> outline;  ///< Corners of the pixels at the ends of every row.
  double sum = 0;
  size_t count = 0;
};

/// Collects the region around `start` and marks its pixels as seen.
Region Collect(std::span<const float> map, int height, int width, float threshold, int start,
               std::vector<uint8_t>& seen) {
  Region region;
  std::vector<int> stack{start};
  seen[static_cast<size_t>(start)] = 1;
  while (!stack.empty()) {
    const int index = stack.back();
    stack.pop_back();
    const int x = index % width, y = index / width;
    region.sum += map[static_cast<size_t>(index)];
    ++region.count;
    for (const float dy : {0.0f, 1.0f})
      for (const float dx : {0.0f, 1.0f})
        region.outline.push_back({static_cast<float>(x) + dx, static_cast<float>(y) + dy});
    for (int ny = std::max(0, y - 1); ny <= std::min(height - 1, y + 1); ++ny) {
      for (int nx = std::max(0, x - 1); nx <= std::min(width - 1, x + 1); ++nx) {
        const auto next = static_cast<size_t>(ny) * width + nx;
        if (seen[next] != 0 || map[next] <= threshold) continue;
        seen[next] = 1;
        stack.push_back(static_cast<int>(next));
      }
    }
  }
  return region;
}

bool ReadsBefore(const TextRegion& a, const TextRegion& b) {
  const float line = std::min(a.box.height, b.box.height) / 2;
  if (std::abs(a.box.center.y - b.box.center.y) > line) return a.box.center.y < b.box.center.y;
  return a.box.center.x < b.box.center.x;
}

/// Moves every region in front of those that are read after it.
void SortForReading(std::vector<TextRegion>& regions) {
  for (size_t i = 1; i < regions.size(); ++i)
    for (size_t j = i; j > 0 && ReadsBefore(regions[j], regions[j - 1]); --j)
      std::swap(regions[j], regions[j - 1]);
}

}  // namespace

std::vector<TextRegion> FindTextRegions(std::span<const float> map, int height, int width,
                                        const RegionRules& rules) {
  std::vector<TextRegion> found;
  std::vector<uint8_t> seen(map.size(), 0);
  for (int start = 0; start < height * width; ++start) {
    if (seen[static_cast<size_t>(start)] != 0) continue;
    if (map[static_cast<size_t>(start)] <= rules.pixel_threshold) continue;
    const Region region = Collect(map, height, width, rules.pixel_threshold, start, seen);
    const auto score = static_cast<float>(region.sum / static_cast<double>(region.count));
    const RotatedBox box = SmallestBox(region.outline);
    if (score < rules.region_threshold || std::min(box.width, box.height) < rules.least_side)
      continue;
    const float distance = box.width * box.height * rules.growth / (2 * (box.width + box.height));
    found.push_back({box.Grown(distance), score});
  }
  SortForReading(found);
  return found;
}

}  // namespace ocr
