// SPDX-License-Identifier: Apache-2.0
// From the recognition network's class probabilities to text.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace ocr {

struct Line {
  std::string text;
  float confidence = 0;  ///< Mean probability of the characters; 0 for an empty line.
};

/// The characters of the network's classes: class 0 is "nothing", then one line of the file each,
/// then the blank. kIoError when the file cannot be read.
cairn::Result<std::vector<std::string>> ReadCharacters(const std::string& path);

/// The most probable class of every step of `probabilities` ([steps, classes]); repeats and class 0
/// are dropped.
Line DecodeLine(std::span<const float> probabilities, size_t classes,
                const std::vector<std::string>& characters);

}  // namespace ocr
