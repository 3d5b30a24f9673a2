// SPDX-License-Identifier: Apache-2.0
// Regular expressions in RE2's syntax, matched in time linear in the text.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace cairn {

/// A compiled pattern. Known: literals, `.`, classes with ranges, negation and [:names:], \d \w \s
/// and their negations, \t \n \r \f \v \xHH, groups, alternation, * + ? {m,n} (greedy or not),
/// ^ $ \A \z at the ends of the text, \b \B, and the flags (?i) and (?s).
class Regex {
 public:
  static Result<Regex> Compile(std::string_view pattern);
  /// True when the whole text matches.
  bool Matches(std::string_view text) const;

 private:
  friend class RegexCompiler;
  using Range = std::pair<char32_t, char32_t>;
  /// A state reads one character of its ranges and goes on to `next`, or goes on to `next` and
  /// `other` without reading.
  struct State {
    enum class Kind : uint8_t {
      kRead,
      kSplit,
      kBegin,
      kEnd,
      kBoundary,
      kNoBoundary,
      kAccept
    } kind = Kind::kAccept;
    std::vector<Range> ranges;
    int next = -1, other = -1;
  };

  /// Where in the text a state is followed.
  struct Place {
    bool begin = false, end = false, boundary = false;
  };
  static Place PlaceAt(const std::vector<char32_t>& text, size_t position);
  /// True when an assertion of this kind holds at `place`.
  static bool Holds(State::Kind kind, const Place& place);

  void Follow(int state, const Place& place, std::vector<int>& list,
              std::vector<bool>& seen) const;

  std::vector<State> states_;
  int start_ = 0;
};

}  // namespace cairn
