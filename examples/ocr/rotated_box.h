// SPDX-License-Identifier: Apache-2.0
// Rectangles in any direction around a set of points.
#pragma once

#include <array>
#include <vector>

#include "image/image.h"

namespace ocr {

struct Point {
  float x = 0;
  float y = 0;
};

/// A rectangle: centre, the unit direction of its width, and its extents.
struct RotatedBox {
  Point center;
  Point direction{1, 0};
  float width = 0;
  float height = 0;

  /// Top left, top right, bottom right, bottom left, as read along `direction`.
  std::array<Point, 4> corners() const;
  /// The box grown by `distance` on every side.
  RotatedBox Grown(float distance) const;
};

/// Corners of the smallest convex polygon around `points`, counter-clockwise, without collinear
/// ones.
std::vector<Point> ConvexHull(std::vector<Point> points);

/// The rectangle of least area around `points` (at least one), with its width along the axis that
/// is nearer to horizontal.
RotatedBox SmallestBox(const std::vector<Point>& points);

/// The content of `box`, straightened, scaled to `height` rows; bilinear, edges of `src` repeated.
cairn::image::Image Straighten(const cairn::image::Image& src, const RotatedBox& box, int width,
                               int height);

}  // namespace ocr
