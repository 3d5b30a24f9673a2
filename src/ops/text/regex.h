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
/// ^ $ \A \z at the ends of what they bound, and the flags (?i) and (?s).
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
    enum class Kind : uint8_t { kRead, kSplit, kBegin, kEnd, kAccept } kind = Kind::kAccept;
    std::vector<Range> ranges;
    int next = -1, other = -1;
  };

  void Follow(int state, bool at_begin, bool at_end, std::vector<int>& list,
              std::vector<bool>& seen) const;

  std::vector<State> states_;
  int start_ = 0;
};

}  // namespace cairn
