// SPDX-License-Identifier: Apache-2.0
// Compiles patterns to nondeterministic automata and runs all their states at once.
#include "ops/text/regex.h"

#include <algorithm>
#include <map>
#include <string>

#include "ops/text/strings.h"

namespace cairn {

/// Recursive descent over the pattern; a fragment is built from its end to its beginning, so that
/// the state that follows is always known.
class RegexCompiler {
 public:
  explicit RegexCompiler(std::string_view pattern) : pattern_(CodePoints(pattern)) {}

  Result<Regex> Run() {
    ASSIGN_OR_RETURN(const int root, ParseAlternatives(0));
    if (pos_ < pattern_.size()) return Fail("a ')' closes nothing");
    const int accept = Add({});
    ASSIGN_OR_RETURN(regex_.start_, Emit(root, accept));
    return std::move(regex_);
  }

 private:
  using Range = Regex::Range;
  using Ranges = std::vector<Range>;
  using Kind = Regex::State::Kind;
  static constexpr char32_t kLast = 0x10FFFF;
  static constexpr size_t kMaxStates = 100'000;  ///< Counts copies of empty parts too.
  static constexpr int kMaxDepth = 200, kMaxRepeat = 1000, kNoLimit = -1;

  struct Syntax {
    enum class Form : uint8_t { kEmpty, kRanges, kAssertion, kSequence, kChoice, kRepeat };
    Form form = Form::kEmpty;
    Ranges ranges;
    std::vector<int> parts;
    int min = 0, max = 0;
    Kind assertion = Kind::kAccept;
  };
  using Form = Syntax::Form;

  Status Fail(std::string_view what) const {
    return Status(Code::kInvalidModel,
                  StrCat("the pattern is no regular expression: ", what, " at character ", pos_));
  }
  bool AtEnd() const { return pos_ >= pattern_.size(); }
  char32_t Peek() const { return pattern_[pos_]; }
  bool Take(char32_t c) {
    if (AtEnd() || Peek() != c) return false;
    ++pos_;
    return true;
  }
  bool TakeText(std::string_view text) {
    if (pattern_.size() - pos_ < text.size()) return false;
    for (size_t i = 0; i < text.size(); ++i) {
      if (pattern_[pos_ + i] != static_cast<char32_t>(text[i])) return false;
    }
    pos_ += text.size();
    return true;
  }
  int Node(Syntax syntax) {
    syntax_.push_back(std::move(syntax));
    return static_cast<int>(syntax_.size()) - 1;
  }
  int Add(Regex::State state) {
    regex_.states_.push_back(std::move(state));
    return static_cast<int>(regex_.states_.size()) - 1;
  }

  Result<int> ParseAlternatives(int depth) {
    if (depth > kMaxDepth) return Fail("it is nested too deeply");
    Syntax choice{Form::kChoice, {}, {}, 0, 0};
    do {
      ASSIGN_OR_RETURN(const int sequence, ParseSequence(depth));
      choice.parts.push_back(sequence);
    } while (Take('|'));
    return choice.parts.size() == 1 ? choice.parts[0] : Node(std::move(choice));
  }

  Result<int> ParseSequence(int depth) {
    Syntax sequence{Form::kSequence, {}, {}, 0, 0};
    while (!AtEnd() && Peek() != '|' && Peek() != ')') {
      ASSIGN_OR_RETURN(int atom, ParseAtom(depth));
      ASSIGN_OR_RETURN(atom, ParseRepeats(atom));
      sequence.parts.push_back(atom);
    }
    return Node(std::move(sequence));
  }

  Result<int> ParseRepeats(int atom) {
    for (;;) {
      int min = 0, max = kNoLimit;
      if (Take('+')) {
        min = 1;
      } else if (Take('?')) {
        max = 1;
      } else if (!Take('*') && !TakeBounds(&min, &max)) {
        return atom;
      }
      if (min > kMaxRepeat || max > kMaxRepeat || (max != kNoLimit && max < min)) {
        return Fail("a repetition is out of range");
      }
      Take('?');  // Greedy or not, the whole text matches or does not.
      atom = Node({Form::kRepeat, {}, {atom}, min, max});
    }
  }

  bool TakeNumber(int* number) {
    const size_t begin = pos_;
    for (*number = 0; !AtEnd() && Peek() >= '0' && Peek() <= '9' && pos_ - begin < 6; ++pos_) {
      *number = *number * 10 + static_cast<int>(Peek() - '0');
    }
    return pos_ > begin;
  }

  /// "{m}", "{m,}" or "{m,n}"; anything else in braces is literal text, as in RE2.
  bool TakeBounds(int* min, int* max) {
    const size_t begin = pos_;
    if (Take('{') && TakeNumber(min)) {
      *max = *min;
      if (Take(',') && !TakeNumber(max)) *max = kNoLimit;
      if (Take('}')) return true;
    }
    pos_ = begin;
    return false;
  }

  Result<int> ParseAtom(int depth) {
    if (Take('(')) return ParseGroup(depth);
    if (Take('[')) return ParseClass();
    if (Take('^')) return Assertion(Kind::kBegin);
    if (Take('$')) return Assertion(Kind::kEnd);
    if (Take('.')) {
      return Node({Form::kRanges, dot_all_ ? Ranges{{0, kLast}} : Ranges{{0, 9}, {11, kLast}}, {}, 0,
                   0});
    }
    if (Peek() == '*' || Peek() == '+' || Peek() == '?') return Fail("nothing is repeated");
    if (Take('\\')) return ParseEscape();
    const char32_t c = pattern_[pos_++];
    return Characters({{c, c}});
  }

  Result<int> ParseGroup(int depth) {
    const bool ignore_case = ignore_case_, dot_all = dot_all_;
    bool flags_only = false;
    if (Take('?')) {
      RETURN_IF_ERROR(ParseGroupKind(&flags_only));
    }
    // Flags without a group hold for the rest of the group around them.
    if (flags_only) return Node({});
    ASSIGN_OR_RETURN(const int inner, ParseAlternatives(depth + 1));
    if (!Take(')')) return Fail("a '(' is not closed");
    ignore_case_ = ignore_case;
    dot_all_ = dot_all;
    return inner;
  }

  Status ParseGroupKind(bool* flags_only) {
    if (TakeText("P<") || Take('<')) {
      while (!AtEnd() && Peek() != '>') ++pos_;
      return Take('>') ? OkStatus() : Fail("a group's name does not end");
    }
    bool value = true;
    for (; !AtEnd() && Peek() != ':' && Peek() != ')'; ++pos_) {
      const char32_t c = Peek();
      if (c == '-') {
        value = false;
      } else if (c == 'i') {
        ignore_case_ = value;
      } else if (c == 's') {
        dot_all_ = value;
      } else if (c != 'U' && c != 'm') {
        return Fail("a kind of group is unknown");
      }
    }
    *flags_only = Take(')');
    return *flags_only || Take(':') ? OkStatus() : Fail("a '(' is not closed");
  }

  int Assertion(Kind kind) { return Node({Form::kAssertion, {}, {}, 0, 0, kind}); }

  int Characters(Ranges ranges) {
    if (ignore_case_) {
      const size_t count = ranges.size();
      for (size_t i = 0; i < count; ++i) AddOtherCase(ranges[i], ranges);
    }
    return Node({Form::kRanges, std::move(ranges), {}, 0, 0});
  }

  static void AddOtherCase(Range range, Ranges& ranges) {
    for (const auto& [first, last, shift] :
         {std::tuple<char32_t, char32_t, int>{'a', 'z', -32}, {'A', 'Z', 32}}) {
      const char32_t low = std::max(range.first, first), high = std::min(range.second, last);
      if (low > high) continue;
      ranges.emplace_back(static_cast<char32_t>(static_cast<int>(low) + shift),
                          static_cast<char32_t>(static_cast<int>(high) + shift));
    }
  }

  static Ranges Negated(Ranges ranges) {
    std::sort(ranges.begin(), ranges.end());
    Ranges result;
    char32_t next = 0;
    for (const Range& range : ranges) {
      if (range.first > next) result.emplace_back(next, static_cast<char32_t>(range.first - 1));
      next = std::max<char32_t>(next, range.second + 1);
    }
    if (next <= kLast) result.emplace_back(next, kLast);
    return result;
  }

  /// The characters of \d, \w or \s (capital: all others); empty for other letters.
  static Ranges ClassOf(char32_t letter) {
    switch (letter) {
      case 'd': return {{'0', '9'}};
      case 'w': return {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
      case 's': return {{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}};
      case 'D':
      case 'W':
      case 'S': return Negated(ClassOf(letter + 32));
      default: return {};
    }
  }

  Result<int> ParseEscape() {
    if (AtEnd()) return Fail("a '\\' ends the pattern");
    if (Take('A')) return Assertion(Kind::kBegin);
    if (Take('z')) return Assertion(Kind::kEnd);
    if (Take('b')) return Assertion(Kind::kBoundary);
    if (Take('B')) return Assertion(Kind::kNoBoundary);
    Ranges ranges = ClassOf(Peek());
    if (!ranges.empty()) {
      ++pos_;
      return Characters(std::move(ranges));
    }
    ASSIGN_OR_RETURN(const char32_t c, ParseEscapedCharacter());
    return Characters({{c, c}});
  }

  Result<char32_t> ParseEscapedCharacter() {
    const char32_t c = pattern_[pos_++];
    switch (c) {
      case 't': return U'\t';
      case 'n': return U'\n';
      case 'r': return U'\r';
      case 'f': return U'\f';
      case 'v': return U'\v';
      case 'a': return U'\a';
      case 'x': return ParseHex();
      default: break;
    }
    const bool letter = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter) return Fail("an escape is unknown");
    return c;
  }

  Result<char32_t> ParseHex() {
    const bool braces = Take('{');
    char32_t value = 0;
    size_t digits = 0;
    for (; !AtEnd() && digits < (braces ? 6u : 2u); ++digits, ++pos_) {
      const char32_t c = Peek();
      const char32_t low = c | 32u;
      if (c >= '0' && c <= '9') {
        value = value * 16 + (c - '0');
      } else if (low >= 'a' && low <= 'f') {
        value = value * 16 + (low - 'a' + 10);
      } else {
        break;
      }
    }
    const bool complete = braces ? digits > 0 && Take('}') : digits == 2;
    if (!complete || value > kLast) return Fail("a \\x needs hexadecimal digits");
    return value;
  }

  static const std::map<std::string_view, Ranges>& NamedClasses() {
    static const std::map<std::string_view, Ranges> classes = {
        {"[:alnum:]", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}},
        {"[:alpha:]", {{'A', 'Z'}, {'a', 'z'}}},
        {"[:digit:]", {{'0', '9'}}},
        {"[:lower:]", {{'a', 'z'}}},
        {"[:upper:]", {{'A', 'Z'}}},
        {"[:punct:]", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
        {"[:space:]", {{'\t', '\r'}, {' ', ' '}}},
        {"[:word:]", {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}},
        {"[:xdigit:]", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}}};
    return classes;
  }

  Result<char32_t> ParseClassCharacter() {
    if (AtEnd()) return Fail("a '[' is not closed");
    if (!Take('\\')) return pattern_[pos_++];
    if (AtEnd()) return Fail("a '\\' ends the pattern");
    return ParseEscapedCharacter();
  }

  Status ParseClassItem(Ranges& ranges) {
    for (const auto& [name, members] : NamedClasses()) {
      if (!TakeText(name)) continue;
      ranges.insert(ranges.end(), members.begin(), members.end());
      return OkStatus();
    }
    if (pos_ + 1 < pattern_.size() && Peek() == '\\') {
      const Ranges members = ClassOf(pattern_[pos_ + 1]);
      if (!members.empty()) {
        pos_ += 2;
        ranges.insert(ranges.end(), members.begin(), members.end());
        return OkStatus();
      }
    }
    ASSIGN_OR_RETURN(const char32_t first, ParseClassCharacter());
    char32_t last = first;
    if (pos_ + 1 < pattern_.size() && Peek() == '-' && pattern_[pos_ + 1] != ']') {
      ++pos_;
      ASSIGN_OR_RETURN(last, ParseClassCharacter());
    }
    if (last < first) return Fail("a range runs backwards");
    ranges.emplace_back(first, last);
    return OkStatus();
  }

  Result<int> ParseClass() {
    const bool negated = Take('^');
    Ranges ranges;
    // A ']' that comes first is a member.
    for (bool first = true; first || AtEnd() || Peek() != ']'; first = false) {
      if (AtEnd()) return Fail("a '[' is not closed");
      RETURN_IF_ERROR(ParseClassItem(ranges));
    }
    ++pos_;
    const int node = Characters(std::move(ranges));
    if (negated) {
      auto& members = syntax_[static_cast<size_t>(node)].ranges;
      members = Negated(std::move(members));
    }
    return node;
  }

  /// States for `node` that lead to `next`; the first of them.
  Result<int> Emit(int node, int next) {
    if (++num_emitted_ > kMaxStates) return Fail("it is too large");
    const Syntax syntax = syntax_[static_cast<size_t>(node)];
    switch (syntax.form) {
      case Form::kEmpty: return next;
      case Form::kRanges: return Add({Kind::kRead, syntax.ranges, next, -1});
      case Form::kAssertion: return Add({syntax.assertion, {}, next, -1});
      case Form::kSequence:
        for (size_t i = syntax.parts.size(); i-- > 0;) {
          ASSIGN_OR_RETURN(next, Emit(syntax.parts[i], next));
        }
        return next;
      case Form::kChoice: {
        int first = -1;
        for (const int part : syntax.parts) {
          ASSIGN_OR_RETURN(const int begin, Emit(part, next));
          first = first < 0 ? begin : Add({Kind::kSplit, {}, begin, first});
        }
        return first;
      }
      case Form::kRepeat: return EmitRepeat(syntax, next);
    }
    return next;
  }

  Result<int> EmitRepeat(const Syntax& syntax, int next) {
    const int part = syntax.parts[0];
    if (syntax.max == kNoLimit) {
      const int loop = Add({Kind::kSplit, {}, -1, next});
      ASSIGN_OR_RETURN(const int body, Emit(part, loop));
      regex_.states_[static_cast<size_t>(loop)].next = body;
      next = loop;
    } else {
      const int end = next;
      for (int i = syntax.min; i < syntax.max; ++i) {
        ASSIGN_OR_RETURN(const int body, Emit(part, next));
        next = Add({Kind::kSplit, {}, body, end});
      }
    }
    for (int i = 0; i < syntax.min; ++i) {
      ASSIGN_OR_RETURN(next, Emit(part, next));
    }
    return next;
  }

  std::vector<char32_t> pattern_;
  size_t pos_ = 0, num_emitted_ = 0;
  bool ignore_case_ = false, dot_all_ = false;
  std::vector<Syntax> syntax_;
  Regex regex_;
};

Result<Regex> Regex::Compile(std::string_view pattern) { return RegexCompiler(pattern).Run(); }

Regex::Place Regex::PlaceAt(const std::vector<char32_t>& text, size_t position) {
  const auto is_word = [&](size_t i) {
    const char32_t c = i < text.size() ? text[i] : U' ';
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  };
  const bool before = position > 0 && is_word(position - 1);
  return {position == 0, position == text.size(), before != is_word(position)};
}

bool Regex::Holds(State::Kind kind, const Place& place) {
  switch (kind) {
    case State::Kind::kBegin: return place.begin;
    case State::Kind::kEnd: return place.end;
    case State::Kind::kBoundary: return place.boundary;
    default: return !place.boundary;
  }
}

void Regex::Follow(int state, const Place& place, std::vector<int>& list,
                   std::vector<bool>& seen) const {
  std::vector<int> open = {state};
  while (!open.empty()) {
    const int index = open.back();
    open.pop_back();
    if (seen[static_cast<size_t>(index)]) continue;
    seen[static_cast<size_t>(index)] = true;
    const State& current = states_[static_cast<size_t>(index)];
    if (current.kind == State::Kind::kSplit) {
      open.push_back(current.other);
      open.push_back(current.next);
    } else if (current.kind == State::Kind::kRead || current.kind == State::Kind::kAccept) {
      list.push_back(index);
    } else if (Holds(current.kind, place)) {
      open.push_back(current.next);
    }
  }
}

bool Regex::Matches(std::string_view text) const {
  const std::vector<char32_t> characters = CodePoints(text);
  std::vector<int> states;
  std::vector<bool> seen(states_.size(), false);
  Follow(start_, PlaceAt(characters, 0), states, seen);
  for (size_t i = 0; i < characters.size(); ++i) {
    std::vector<int> next;
    std::fill(seen.begin(), seen.end(), false);
    for (const int index : states) {
      const State& state = states_[static_cast<size_t>(index)];
      const bool reads = std::any_of(state.ranges.begin(), state.ranges.end(), [&](const Range& r) {
        return r.first <= characters[i] && characters[i] <= r.second;
      });
      if (state.kind == State::Kind::kRead && reads) {
        Follow(state.next, PlaceAt(characters, i + 1), next, seen);
      }
    }
    states = std::move(next);
  }
  return std::any_of(states.begin(), states.end(), [&](int index) {
    return states_[static_cast<size_t>(index)].kind == State::Kind::kAccept;
  });
}

}  // namespace cairn
