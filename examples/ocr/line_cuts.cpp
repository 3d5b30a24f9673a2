// SPDX-License-Identifier: Apache-2.0
// Columns without ink, found by their contrast.
#include "ocr/line_cuts.h"

#include <algorithm>

namespace ocr {
namespace {

/// A column whose brightness varies less holds no ink.
constexpr int kInk = 48;
/// Space between words is at least this part of the line's height.
constexpr float kWordGap = 0.16f;

int Contrast(const cairn::image::Image& line, int x) {
  int darkest = 255, brightest = 0;
  for (int y = 0; y < line.height; ++y) {
    const int green = line.at(x, y)[1];
    darkest = std::min(darkest, green);
    brightest = std::max(brightest, green);
  }
  return brightest - darkest;
}

struct Gap {
  int begin = 0;
  int end = 0;
  int width() const { return end - begin; }
};

/// The columns without ink in a row around `x`; none when there is ink at `x`.
Gap GapAround(const std::vector<int>& contrast, int x) {
  Gap gap{x, x};
  if (contrast[static_cast<size_t>(x)] >= kInk) return gap;
  const int size = static_cast<int>(contrast.size());
  while (gap.begin > 0 && contrast[static_cast<size_t>(gap.begin - 1)] < kInk) --gap.begin;
  while (gap.end < size && contrast[static_cast<size_t>(gap.end)] < kInk) ++gap.end;
  return gap;
}

}  // namespace

std::vector<Piece> CutLine(const cairn::image::Image& line, int max_width) {
  std::vector<int> contrast;
  for (int x = 0; x < line.width; ++x) contrast.push_back(Contrast(line, x));
  const auto word_gap = static_cast<int>(kWordGap * static_cast<float>(line.height));
  std::vector<Piece> pieces;
  int begin = 0;
  while (line.width - begin > max_width) {
    const int earliest = begin + max_width * 2 / 3, latest = begin + max_width;
    Gap widest{latest, latest};
    for (int x = latest; x > earliest; --x) {
      const Gap gap = GapAround(contrast, x);
      if (gap.width() > widest.width()) widest = gap;
    }
    const int cut = std::clamp((widest.begin + widest.end) / 2, earliest + 1, latest);
    pieces.push_back({begin, cut, widest.width() >= word_gap});
    begin = cut;
  }
  pieces.push_back({begin, line.width, false});
  return pieces;
}

}  // namespace ocr
