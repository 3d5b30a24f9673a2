// SPDX-License-Identifier: Apache-2.0
// Straightened lines into the recognition and direction networks.
#include "ocr/recognizer.h"

#include <algorithm>
#include <cmath>

#include "ocr/line_cuts.h"
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

/// No line is longer, at the height that the model takes.
constexpr int kMaxLineWidth = 16384;

/// Width of the line at the model's height.
int LineWidth(const RotatedBox& box, const AclModel& model) {
  const float width = std::ceil(model.height() * box.width / std::max(box.height, 1.0f));
  return static_cast<int>(std::clamp(width, 1.0f, static_cast<float>(kMaxLineWidth)));
}

std::vector<float> LinePlanes(const cairn::image::Image& picture, const RotatedBox& box,
                              const AclModel& model) {
  const int width = std::min(LineWidth(box, model), model.width());
  const cairn::image::Image line = Straighten(picture, box, width, model.height());
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

AclModel& Recognizer::ModelFor(float columns_per_row) const {
  const auto fits = std::find_if(models_.begin(), models_.end(), [&](const auto& model) {
    return static_cast<float>(model->height()) * columns_per_row <=
           static_cast<float>(model->width());
  });
  return fits != models_.end() ? **fits : *models_.back();
}

Result<Line> Recognizer::Read(const cairn::image::Image& picture, const RotatedBox& box) {
  const RotatedBox line = ReadingBox(box);
  const AclModel& widest = *models_.back();
  const cairn::image::Image straight =
      Straighten(picture, line, LineWidth(line, widest), widest.height());
  Line read;
  float weight = 0;
  last_ms_ = 0;
  for (const Piece& piece : CutLine(straight, widest.width())) {
    const int columns = piece.end - piece.begin;
    AclModel& model = ModelFor(static_cast<float>(columns) / static_cast<float>(straight.height));
    const auto part = cairn::image::Crop(straight, piece.begin, 0, columns, straight.height);
    const int width = std::min(columns * model.height() / straight.height, model.width());
    ASSIGN_OR_RETURN(
        const auto probabilities,
        model.Run(ToPlanes(cairn::image::Resize(part, std::max(width, 1), model.height()),
                           model.height(), model.width(), kNormalization)));
    last_ms_ += model.last_ms();
    const Line text = DecodeLine(probabilities, characters_.size(), characters_);
    const auto length = static_cast<float>(text.text.size());
    read.confidence += length * text.confidence;
    weight += length;
    read.text += text.text;
    if (piece.ends_word && !read.text.empty() && read.text.back() != ' ') read.text += ' ';
  }
  if (weight > 0) read.confidence /= weight;
  return read;
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
