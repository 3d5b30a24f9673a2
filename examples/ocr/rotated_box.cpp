// SPDX-License-Identifier: Apache-2.0
// Convex hull, rotating edges, resampling.
#include "ocr/rotated_box.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ocr {
namespace {

float Cross(const Point& o, const Point& a, const Point& b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

float Dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y; }

Point Combine(const Point& origin, const Point& a, float s, const Point& b, float t) {
  return {origin.x + a.x * s + b.x * t, origin.y + a.y * s + b.y * t};
}

/// Perpendicular to `direction`, pointing down when `direction` points right.
Point Normal(const Point& direction) { return {-direction.y, direction.x}; }

/// The box around `points` whose width runs along `direction`.
RotatedBox BoxAlong(const std::vector<Point>& points, const Point& direction) {
  const Point normal = Normal(direction);
  float low_u = std::numeric_limits<float>::max(), high_u = -low_u;
  float low_v = low_u, high_v = -low_u;
  for (const Point& point : points) {
    low_u = std::min(low_u, Dot(point, direction));
    high_u = std::max(high_u, Dot(point, direction));
    low_v = std::min(low_v, Dot(point, normal));
    high_v = std::max(high_v, Dot(point, normal));
  }
  const Point center =
      Combine({0, 0}, direction, (low_u + high_u) / 2, normal, (low_v + high_v) / 2);
  return {center, direction, high_u - low_u, high_v - low_v};
}

/// The same rectangle with its width along the axis nearer to horizontal, pointing right.
RotatedBox Upright(RotatedBox box) {
  if (std::abs(box.direction.y) > std::abs(box.direction.x)) {
    box.direction = Normal(box.direction);
    std::swap(box.width, box.height);
  }
  if (box.direction.x < 0) box.direction = {-box.direction.x, -box.direction.y};
  return box;
}

}  // namespace

std::array<Point, 4> RotatedBox::corners() const {
  const Point normal = Normal(direction);
  return {Combine(center, direction, -width / 2, normal, -height / 2),
          Combine(center, direction, width / 2, normal, -height / 2),
          Combine(center, direction, width / 2, normal, height / 2),
          Combine(center, direction, -width / 2, normal, height / 2)};
}

RotatedBox RotatedBox::Grown(float distance) const {
  return {center, direction, width + 2 * distance, height + 2 * distance};
}

std::vector<Point> ConvexHull(std::vector<Point> points) {
  std::sort(points.begin(), points.end(),
            [](const Point& a, const Point& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  if (points.size() < 3) return points;
  std::vector<Point> hull;
  // Andrew's monotone chain: the lower side, then the upper side backwards.
  for (int side = 0; side < 2; ++side) {
    const size_t start = hull.size();
    for (const Point& point : points) {
      while (hull.size() >= start + 2 && Cross(hull[hull.size() - 2], hull.back(), point) <= 0)
        hull.pop_back();
      hull.push_back(point);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

RotatedBox SmallestBox(const std::vector<Point>& points) {
  const std::vector<Point> hull = ConvexHull(points);
  RotatedBox best = BoxAlong(hull, {1, 0});
  // One side of the smallest rectangle lies on an edge of the hull.
  for (size_t i = 0; i < hull.size(); ++i) {
    const Point& a = hull[i];
    const Point& b = hull[(i + 1) % hull.size()];
    const float length = std::hypot(b.x - a.x, b.y - a.y);
    if (length == 0) continue;
    const RotatedBox box = BoxAlong(hull, {(b.x - a.x) / length, (b.y - a.y) / length});
    if (box.width * box.height < best.width * best.height) best = box;
  }
  return Upright(best);
}

cairn::image::Image Straighten(const cairn::image::Image& src, const RotatedBox& box, int width,
                               int height) {
  cairn::image::Image out(width, height);
  const Point normal = Normal(box.direction);
  for (int y = 0; y < height; ++y) {
    const float v =
        ((static_cast<float>(y) + 0.5f) / static_cast<float>(height) - 0.5f) * box.height;
    for (int x = 0; x < width; ++x) {
      const float u =
          ((static_cast<float>(x) + 0.5f) / static_cast<float>(width) - 0.5f) * box.width;
      const Point p = Combine(box.center, box.direction, u, normal, v);
      const float sx = std::clamp(p.x - 0.5f, 0.0f, static_cast<float>(src.width - 1));
      const float sy = std::clamp(p.y - 0.5f, 0.0f, static_cast<float>(src.height - 1));
      const int x0 = static_cast<int>(sx), y0 = static_cast<int>(sy);
      const int x1 = std::min(x0 + 1, src.width - 1), y1 = std::min(y0 + 1, src.height - 1);
      for (int c = 0; c < 3; ++c) {
        const float top = std::lerp(static_cast<float>(src.at(x0, y0)[c]),
                                    static_cast<float>(src.at(x1, y0)[c]), sx - x0);
        const float bottom = std::lerp(static_cast<float>(src.at(x0, y1)[c]),
                                       static_cast<float>(src.at(x1, y1)[c]), sx - x0);
        out.at(x, y)[c] = static_cast<uint8_t>(std::lround(std::lerp(top, bottom, sy - y0)));
      }
    }
  }
  return out;
}

}  // namespace ocr
