// SPDX-License-Identifier: Apache-2.0
// Straightened lines into the recognition and direction networks.
#include "ocr/recognizer.h"

#include <algorithm>
#include <cmath>

#include "ocr/tensor.h"

namespace ocr {
namespace {

constexpr Normalization kNormalization{{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}};
/// A box this much taller than wide is a line written from top to bottom.
constexpr float kVertical = 1.5f;
constexpr float kSurelyTurned = 0.9f;

/// The box to read along: vertical lines are turned by a right angle.
RotatedBox ReadingBox(RotatedBox box) {
  if (box.height < kVertical * box.width) return box;
  box.direction = {box.direction.y, -box.direction.x};
  std::swap(box.width, box.height);
  return box;
}

/// Width of the line at the model's height, at most the model's width.
int LineWidth(const RotatedBox& box, const AclModel& model) {
  const float width = std::ceil(model.height() * box.width / std::max(box.height, 1.0f));
  return std::clamp(static_cast<int>(std::min(width, 1e6f)), 1, model.width());
}

std::vector<float> LinePlanes(const cairn::image::Image& picture, const RotatedBox& box,
                              const AclModel& model) {
  const cairn::image::Image line = Straighten(picture, box, LineWidth(box, model), model.height());
  return ToPlanes(line, model.height(), model.width(), kNormalization);
}

}  // namespace

Result<Recognizer> Recognizer::Load(const std::vector<std::string>& models,
                                    const std::string& characters) {
  Recognizer recognizer;
  ASSIGN_OR_RETURN(recognizer.characters_, ReadCharacters(characters));
  for (const std::string& path : models) {
    ASSIGN_OR_RETURN(auto model, AclModel::Load(path));
    const auto& dims = model->output_dims();
    if (dims.size() != 3 || dims[2] != static_cast<int64_t>(recognizer.characters_.size()))
      return Status(Code::kInvalidArgument,
                    StrCat(path, ": expected an output [1,steps,", recognizer.characters_.size(),
                           "], one class per line of ", characters, " and two more; found [",
                           cairn::StrJoin(dims), "]"));
    recognizer.models_.push_back(std::move(model));
  }
  std::sort(recognizer.models_.begin(), recognizer.models_.end(),
            [](const auto& a, const auto& b) { return a->width() < b->width(); });
  return recognizer;
}

Result<Line> Recognizer::Read(const cairn::image::Image& picture, const RotatedBox& box) {
  const RotatedBox line = ReadingBox(box);
  const auto fits = std::find_if(models_.begin(), models_.end(), [&](const auto& model) {
    return model->height() * line.width <= model->width() * line.height;
  });
  last_ = fits != models_.end() ? fits->get() : models_.back().get();
  ASSIGN_OR_RETURN(const auto probabilities, last_->Run(LinePlanes(picture, line, *last_)));
  return DecodeLine(probabilities, characters_.size(), characters_);
}

Result<bool> IsUpsideDown(AclModel& classifier, const cairn::image::Image& picture,
                          const RotatedBox& box) {
  ASSIGN_OR_RETURN(const auto scores,
                   classifier.Run(LinePlanes(picture, ReadingBox(box), classifier)));
  if (scores.size() != 2)
    return Status(Code::kInvalidArgument, "the direction model must have two classes");
  return scores[1] > kSurelyTurned;
}

}  // namespace ocr
