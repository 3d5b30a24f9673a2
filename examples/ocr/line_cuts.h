// SPDX-License-Identifier: Apache-2.0
// Where to cut a line of text that is too long for the network.
#pragma once

#include <vector>

#include "image/image.h"

namespace ocr {

/// One piece of a line: its columns, and whether blank space between words follows.
struct Piece {
  int begin = 0;
  int end = 0;
  bool ends_word = false;
};

/// Cuts a straightened line into pieces of at most `max_width` columns (8 or more), each in the
/// middle of the widest gap in its last third, or at its end when there is none.
std::vector<Piece> CutLine(const cairn::image::Image& line, int max_width);

}  // namespace ocr
