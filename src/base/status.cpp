// SPDX-License-Identifier: Apache-2.0
// Names of status codes, the text form of a status, and spelling suggestions.
#include "base/status.h"

#include <algorithm>
#include <cctype>

namespace cairn {

const char* CodeName(Code code) {
  switch (code) {
    case Code::kOk: return "kOk";
    case Code::kInvalidArgument: return "kInvalidArgument";
    case Code::kInvalidModel: return "kInvalidModel";
    case Code::kNotFound: return "kNotFound";
    case Code::kAlreadyExists: return "kAlreadyExists";
    case Code::kUnsupported: return "kUnsupported";
    case Code::kIncompatible: return "kIncompatible";
    case Code::kDataCorrupt: return "kDataCorrupt";
    case Code::kOutOfMemory: return "kOutOfMemory";
    case Code::kIoError: return "kIoError";
    case Code::kFailedPrecondition: return "kFailedPrecondition";
    case Code::kTimeout: return "kTimeout";
    case Code::kInternal: return "kInternal";
  }
  return "kUnknown";
}

std::string Status::ToString() const {
  if (ok()) return "ok";
  std::string_view file = where_.file_name();
  if (auto src = file.rfind("src/"); src != std::string_view::npos) file = file.substr(src + 4);
  return StrCat(message_, " [", CodeName(code_), " ", file, ":", where_.line(), "]");
}

namespace {
/// Levenshtein distance, letter case ignored.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same = std::tolower(static_cast<unsigned char>(a[i - 1])) ==
                        std::tolower(static_cast<unsigned char>(b[j - 1]));
      const size_t substituted = diagonal + (same ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}
}  // namespace

std::string NearestName(std::string_view name, std::span<const std::string> candidates) {
  std::string best;
  size_t best_distance = name.size() / 3 + 1;
  for (const std::string& candidate : candidates) {
    const size_t distance = EditDistance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace cairn
