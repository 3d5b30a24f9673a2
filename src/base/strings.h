// SPDX-License-Identifier: Apache-2.0
// Text building for messages: concatenation, joining, nearest-name suggestions.
#pragma once

#include <cstdint>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// The stream forms of all arguments, concatenated.
template <class... Args>
std::string StrCat(const Args&... args) {
  std::ostringstream out;
  out.precision(9);
  (out << ... << args);
  return std::move(out).str();
}

/// The elements of `range` in stream form, `separator` between them.
template <class Range>
std::string StrJoin(const Range& range, std::string_view separator = ",") {
  std::ostringstream out;
  bool first = true;
  for (const auto& item : range) {
    if (!first) out << separator;
    first = false;
    out << item;
  }
  return std::move(out).str();
}

/// The member of `candidates` with the smallest edit distance to `name`, or "" when none is near
/// enough to be a plausible misspelling (at most a third of the letters, case ignored).
std::string NearestName(std::string_view name, std::span<const std::string> candidates);

}  // namespace cairn
