// SPDX-License-Identifier: Apache-2.0
// Greedy decoding of connectionist temporal classification.
#include "ocr/ctc.h"

#include <algorithm>
#include <fstream>

namespace ocr {

cairn::Result<std::vector<std::string>> ReadCharacters(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> characters{""};
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    characters.push_back(line);
  }
  if (characters.size() == 1)
    return cairn::Status(cairn::Code::kIoError, path + ": cannot be read or is empty");
  characters.push_back(" ");
  return characters;
}

Line DecodeLine(std::span<const float> probabilities, size_t classes,
                const std::vector<std::string>& characters) {
  Line line;
  float sum = 0;
  size_t count = 0, previous = 0;
  for (size_t step = 0; (step + 1) * classes <= probabilities.size(); ++step) {
    const auto scores = probabilities.subspan(step * classes, classes);
    const auto best =
        static_cast<size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
    if (best != 0 && best != previous && best < characters.size()) {
      line.text += characters[best];
      sum += scores[best];
      ++count;
    }
    previous = best;
  }
  if (count > 0) line.confidence = sum / static_cast<float>(count);
  return line;
}

}  // namespace ocr
