// SPDX-License-Identifier: Apache-2.0
// The parts of the OCR example that need no network: boxes, regions, decoding, drawing.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "ocr/ctc.h"
#include "ocr/draw_text.h"
#include "ocr/line_cuts.h"
#include "ocr/rotated_box.h"
#include "ocr/text_regions.h"

namespace ocr {
namespace {

TEST(RotatedBox, HullDropsInnerAndCollinearPoints) {
  const std::vector<Point> hull =
      ConvexHull({{0, 0}, {4, 0}, {2, 0}, {4, 4}, {0, 4}, {2, 2}, {0, 2}});
  ASSERT_EQ(hull.size(), 4u);
  EXPECT_EQ(hull[0].x + hull[0].y, 0);
}

TEST(RotatedBox, SmallestBoxFollowsATiltedRectangle) {
  const float angle = 0.3f, c = std::cos(angle), s = std::sin(angle);
  std::vector<Point> points;
  for (const auto& [u, v] : {std::pair{-50.f, -10.f}, {50.f, -10.f}, {50.f, 10.f}, {-50.f, 10.f}})
    points.push_back({100 + u * c - v * s, 80 + u * s + v * c});
  const RotatedBox box = SmallestBox(points);
  EXPECT_NEAR(box.width, 100, 0.01);
  EXPECT_NEAR(box.height, 20, 0.01);
  EXPECT_NEAR(box.direction.x, c, 1e-4);
  EXPECT_NEAR(box.direction.y, s, 1e-4);
  EXPECT_NEAR(box.corners()[0].x, points[0].x, 0.01);
  EXPECT_NEAR(box.Grown(3).height, 26, 0.01);
}

TEST(RotatedBox, StraightenTurnsAVerticalStrip) {
  cairn::image::Image image(3, 4);
  for (int y = 0; y < 4; ++y) image.at(1, y)[0] = static_cast<uint8_t>(10 * (y + 1));
  // Reads the middle column from top to bottom.
  const RotatedBox box{{1.5f, 2.0f}, {0, 1}, 4, 1};
  const cairn::image::Image line = Straighten(image, box, 4, 1);
  for (int x = 0; x < 4; ++x) EXPECT_EQ(line.at(x, 0)[0], 10 * (x + 1));
}

TEST(TextRegions, FindsConnectedBlocksInReadingOrder) {
  constexpr int kWidth = 60, kHeight = 40;
  std::vector<float> map(kWidth * kHeight, 0.1f);
  const auto block = [&](int x0, int y0, int x1, int y1, float value) {
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) map[static_cast<size_t>(y) * kWidth + x] = value;
  };
  block(5, 25, 25, 30, 0.9f);
  block(35, 5, 55, 10, 0.8f);
  block(5, 6, 25, 11, 0.9f);
  block(40, 30, 50, 35, 0.4f);  // Not sure enough.
  block(1, 1, 3, 3, 0.9f);      // Too small.
  const auto regions = FindTextRegions(map, kHeight, kWidth, RegionRules{});
  ASSERT_EQ(regions.size(), 3u);
  EXPECT_NEAR(regions[0].box.center.x, 15, 0.01);
  EXPECT_NEAR(regions[1].box.center.x, 45, 0.01);
  EXPECT_NEAR(regions[1].score, 0.8f, 1e-5);
  EXPECT_NEAR(regions[2].box.center.y, 27.5f, 0.01);
  // 20 x 5 grown by 100 * 1.5 / 50 = 3 on every side.
  EXPECT_NEAR(regions[0].box.width, 26, 0.01);
  EXPECT_NEAR(regions[0].box.height, 11, 0.01);
}

// Three words: the line is cut in the wider gaps, and nothing is lost.
TEST(CutLine, CutsBetweenWords) {
  cairn::image::Image line(300, 48, 255);
  for (int x = 0; x < line.width; ++x) {
    const bool between_words = (x >= 90 && x < 105) || (x >= 190 && x < 205);
    const bool between_letters = x % 12 < 3;
    for (int y = 10; y < 40 && !between_words && !between_letters; ++y) line.at(x, y)[1] = 0;
  }
  const std::vector<Piece> pieces = CutLine(line, 120);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[0].begin, 0);
  EXPECT_GE(pieces[0].end, 90);
  EXPECT_LE(pieces[0].end, 105);
  EXPECT_TRUE(pieces[0].ends_word);
  EXPECT_EQ(pieces[1].begin, pieces[0].end);
  EXPECT_GE(pieces[1].end, 190);
  EXPECT_LE(pieces[1].end, 205);
  EXPECT_EQ(pieces[2].begin, pieces[1].end);
  EXPECT_EQ(pieces[2].end, 300);
  EXPECT_EQ(CutLine(line, 300).size(), 1u);
}

TEST(CutLine, CutsInkWhereThereIsNoGap) {
  cairn::image::Image line(1000, 16, 255);
  for (int x = 0; x < line.width; ++x) line.at(x, 8)[1] = 0;
  const std::vector<Piece> pieces = CutLine(line, 100);
  EXPECT_EQ(pieces.size(), 10u);
  for (const Piece& piece : pieces) {
    EXPECT_EQ(piece.end - piece.begin, 100);
    EXPECT_FALSE(piece.ends_word);
  }
}

TEST(Ctc, DropsRepeatsAndBlanks) {
  const std::vector<std::string> characters{"", "a", "b", " "};
  const std::vector<float> steps{
      0.1f, 0.8f, 0.1f, 0.0f,  // a
      0.1f, 0.7f, 0.2f, 0.0f,  // a again: the same one
      0.9f, 0.1f, 0.0f, 0.0f,  // nothing
      0.0f, 0.6f, 0.4f, 0.0f,  // a, a new one
      0.0f, 0.0f, 0.1f, 0.9f,  // blank
      0.0f, 0.1f, 0.9f, 0.0f,  // b
  };
  const Line line = DecodeLine(steps, 4, characters);
  EXPECT_EQ(line.text, "aa b");
  EXPECT_NEAR(line.confidence, (0.8f + 0.6f + 0.9f + 0.9f) / 4, 1e-6);
  EXPECT_EQ(DecodeLine({}, 4, characters).confidence, 0.0f);
}

TEST(DrawText, DrawsDarkInkOnWhite) {
  const std::string font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
  if (!std::filesystem::exists(font)) GTEST_SKIP() << "needs the package fonts-dejavu-core";
  const auto picture = DrawText("Il", font, 32);
  ASSERT_TRUE(picture.ok()) << picture.status().message();
  EXPECT_EQ(picture->height, 64);
  size_t dark = 0;
  for (const uint8_t value : picture->pixels) dark += value < 64;
  EXPECT_GT(dark, 3u * 100);
  EXPECT_EQ(picture->at(0, 0)[0], 255);
  EXPECT_FALSE(DrawText("x", "/nonexistent.ttf", 32).ok());
}

}  // namespace
}  // namespace ocr
