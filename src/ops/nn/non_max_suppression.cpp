// SPDX-License-Identifier: Apache-2.0
// NonMaxSuppression: keeps the best boxes that do not overlap a better one.
#include <algorithm>
#include <limits>
#include <numeric>

#include "ops/elements.h"

namespace cairn {
namespace {

enum : size_t { kBoxes, kScores, kMaxBoxes, kIouThreshold, kScoreThreshold };

Status InferNonMaxSuppression(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, kBoxes));
  RETURN_IF_ERROR(RequireFloat(in, kScores));
  RETURN_IF_ERROR(RequireRank(in, kBoxes, 3));
  RETURN_IF_ERROR(RequireRank(in, kScores, 3));
  in.SetOutput(0, TensorType(ElementType::kI64, {in.NewSymbol(), Dim(3)}));
  return OkStatus();
}

struct Box {
  double top = 0, left = 0, bottom = 0, right = 0;
  double area() const { return (bottom - top) * (right - left); }
};

Box ReadBox(const Tensor& boxes, int64_t index, bool by_center) {
  const double a = boxes.GetDouble(4 * index), b = boxes.GetDouble(4 * index + 1);
  const double c = boxes.GetDouble(4 * index + 2), d = boxes.GetDouble(4 * index + 3);
  if (by_center) return {b - d / 2, a - c / 2, b + d / 2, a + c / 2};
  return {std::min(a, c), std::min(b, d), std::max(a, c), std::max(b, d)};
}

double IntersectionOverUnion(const Box& a, const Box& b) {
  const double height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  const double width = std::min(a.right, b.right) - std::max(a.left, b.left);
  if (height <= 0 || width <= 0) return 0;
  const double common = height * width;
  return common / (a.area() + b.area() - common);
}

struct Limits {
  int64_t max_boxes = 0;
  double iou = 0, score = -std::numeric_limits<double>::infinity();
};

/// Indices of the kept boxes of one class, best first; equal scores by index.
std::vector<int64_t> Select(const std::vector<Box>& boxes, const std::vector<double>& scores,
                            const Limits& limits) {
  std::vector<int64_t> order(boxes.size()), kept;
  std::iota(order.begin(), order.end(), 0);
  const auto score = [&](int64_t i) { return scores[static_cast<size_t>(i)]; };
  order.erase(std::remove_if(order.begin(), order.end(),
                             [&](int64_t i) { return !(score(i) > limits.score); }),
              order.end());
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return score(a) > score(b); });
  for (const int64_t candidate : order) {
    if (static_cast<int64_t>(kept.size()) >= limits.max_boxes) break;
    const Box& box = boxes[static_cast<size_t>(candidate)];
    const bool covered = std::any_of(kept.begin(), kept.end(), [&](int64_t other) {
      return IntersectionOverUnion(box, boxes[static_cast<size_t>(other)]) > limits.iou;
    });
    if (!covered) kept.push_back(candidate);
  }
  return kept;
}

double ScalarOr(const EvalContext& in, size_t i, double fallback) {
  return in.has_input(i) && in.input(i).num_elements() > 0 ? in.input(i).GetDouble(0) : fallback;
}

Status EvalNonMaxSuppression(EvalContext& in) {
  const Tensor &boxes = in.input(kBoxes), &scores = in.input(kScores);
  if (boxes.rank() != 3 || scores.rank() != 3 || boxes.shape()[2] != 4 ||
      boxes.shape()[0] != scores.shape()[0] || boxes.shape()[1] != scores.shape()[2]) {
    return Status(Code::kInvalidArgument,
                  StrCat("boxes ", ShapeToString(boxes.shape()), " and scores ",
                         ShapeToString(scores.shape()),
                         " do not fit, expected [N, boxes, 4] and [N, classes, boxes]"));
  }
  const bool by_center = in.node().GetInt("center_point_box", 0) != 0;
  Limits limits;
  if (in.has_input(kMaxBoxes) && in.input(kMaxBoxes).num_elements() > 0) {
    limits.max_boxes = in.input(kMaxBoxes).GetInt(0);
  }
  limits.iou = ScalarOr(in, kIouThreshold, 0);
  limits.score = ScalarOr(in, kScoreThreshold, limits.score);
  const int64_t count = boxes.shape()[1], classes = scores.shape()[1];
  std::vector<int64_t> selected;
  for (int64_t n = 0; n < boxes.shape()[0]; ++n) {
    std::vector<Box> image;
    for (int64_t i = 0; i < count; ++i) image.push_back(ReadBox(boxes, n * count + i, by_center));
    for (int64_t c = 0; c < classes; ++c) {
      std::vector<double> of_class;
      for (int64_t i = 0; i < count; ++i) {
        of_class.push_back(scores.GetDouble((n * classes + c) * count + i));
      }
      for (const int64_t box : Select(image, of_class, limits)) {
        selected.insert(selected.end(), {n, c, box});
      }
    }
  }
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, ElementType::kI64,
                                            {static_cast<int64_t>(selected.size()) / 3, 3}));
  StoreInts(selected, *y);
  return OkStatus();
}

}  // namespace

OpDef NonMaxSuppressionOp() {
  return OpDef("NonMaxSuppression")
      .Input("boxes")
      .Input("scores")
      .OptionalInput("max_output_boxes_per_class")
      .OptionalInput("iou_threshold")
      .OptionalInput("score_threshold")
      .Output("selected_indices")
      .DefaultAttr(
          "center_point_box", AttrKind::kInt, int64_t{0},
          "0: boxes are two opposite corners (y1, x1, y2, x2); 1: (x centre, y centre, width, "
          "height).")
      .Doc(
          "For each image and class, from the best score down, the boxes whose score exceeds "
          "score_threshold and whose intersection over union with every box kept so far is at most "
          "iou_threshold; at most max_output_boxes_per_class, 0 when absent. Rows: (image, class, "
          "box).")
      .Infer(InferNonMaxSuppression)
      .Reference(EvalNonMaxSuppression);
}

}  // namespace cairn
