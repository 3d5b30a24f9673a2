// SPDX-License-Identifier: Apache-2.0
// Scaling into the model's frame and back.
#include "ocr/detector.h"

#include <algorithm>
#include <cmath>

#include "ocr/tensor.h"

namespace ocr {
namespace {

constexpr Normalization kNormalization{{0.485f, 0.456f, 0.406f}, {0.229f, 0.224f, 0.225f}};

}  // namespace

Result<std::vector<TextRegion>> DetectText(AclModel& model, const cairn::image::Image& picture) {
  const float scale = std::min({1.0f, static_cast<float>(model.width()) / picture.width,
                                static_cast<float>(model.height()) / picture.height});
  const auto scaled = [scale](int side) {
    return std::max(1, static_cast<int>(std::floor(static_cast<float>(side) * scale)));
  };
  const cairn::image::Image frame =
      cairn::image::Resize(picture, scaled(picture.width), scaled(picture.height));
  const std::vector<float> planes = ToPlanes(frame, model.height(), model.width(), kNormalization);
  ASSIGN_OR_RETURN(const std::span<const float> map, model.Run(planes));
  if (map.size() != static_cast<size_t>(model.height()) * model.width())
    return Status(Code::kInvalidArgument, "the detection model's output is not a map of its input");
  std::vector<TextRegion> regions =
      FindTextRegions(map, model.height(), model.width(), RegionRules{});
  for (TextRegion& region : regions) {
    RotatedBox& box = region.box;
    box.center = {box.center.x / scale, box.center.y / scale};
    box.width /= scale;
    box.height /= scale;
  }
  return regions;
}

}  // namespace ocr
