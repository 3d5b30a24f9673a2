// SPDX-License-Identifier: Apache-2.0
// Tokens of the graph's text form.
#include "ir/text_cursor.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

namespace cairn {
namespace {

constexpr size_t kMaxRank = 64;
constexpr size_t kMaxDimText = 256;

bool IsWordChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

/// Splits at commas outside parentheses.
std::vector<std::string_view> SplitDims(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (text[i] == ',' && depth == 0) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

}  // namespace

Status TextCursor::Fail(std::string_view what) const {
  const auto before = text_.substr(0, std::min(pos_, text_.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const size_t start = before.rfind('\n');
  const size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
  return Status(Code::kInvalidArgument, StrCat("line ", line, ", column ", column, ": ", what));
}

void TextCursor::Skip() {
  while (pos_ < text_.size()) {
    if (std::isspace(static_cast<unsigned char>(text_[pos_]))) {
      ++pos_;
    } else if (Rest().starts_with("//")) {
      pos_ = std::min(text_.find('\n', pos_), text_.size());
    } else {
      return;
    }
  }
}

bool TextCursor::AtEnd() { return Peek() == '\0' && pos_ >= text_.size(); }

char TextCursor::Peek() {
  Skip();
  return pos_ < text_.size() ? text_[pos_] : '\0';
}

bool TextCursor::Take(std::string_view token) {
  Skip();
  if (!Rest().starts_with(token)) return false;
  const size_t end = pos_ + token.size();
  const bool is_word = IsWordChar(token.back());
  if (is_word && end < text_.size() && IsWordChar(text_[end])) return false;
  pos_ = end;
  return true;
}

Status TextCursor::Expect(std::string_view token) {
  return Take(token) ? OkStatus() : Fail(StrCat("expected '", token, "'"));
}

Result<std::string> TextCursor::ReadIdentifier() {
  if (Peek() == '"') return ReadString();
  const size_t begin = pos_;
  while (pos_ < text_.size() && IsWordChar(text_[pos_])) ++pos_;
  if (pos_ == begin) return Fail("expected a name");
  return std::string(text_.substr(begin, pos_ - begin));
}

Result<std::string> TextCursor::ReadString() {
  RETURN_IF_ERROR(Expect("\""));
  std::string out;
  while (pos_ < text_.size() && text_[pos_] != '"') {
    if (text_[pos_] != '\\') {
      out += text_[pos_++];
      continue;
    }
    const char escape = pos_ + 1 < text_.size() ? text_[pos_ + 1] : '\0';
    if (escape == '"' || escape == '\\') {
      out += escape;
    } else if (escape == 'n') {
      out += '\n';
    } else if (escape == 't') {
      out += '\t';
    } else if (escape == 'x' && pos_ + 3 < text_.size() && HexDigit(text_[pos_ + 2]) >= 0 &&
               HexDigit(text_[pos_ + 3]) >= 0) {
      out += static_cast<char>(HexDigit(text_[pos_ + 2]) * 16 + HexDigit(text_[pos_ + 3]));
      pos_ += 2;
    } else {
      return Fail("unknown escape in a string");
    }
    pos_ += 2;
  }
  if (pos_ >= text_.size()) return Fail("a string does not end");
  ++pos_;
  return out;
}

Result<TextNumber> TextCursor::ReadNumber() {
  Skip();
  size_t end = pos_;
  if (end < text_.size() && (text_[end] == '-' || text_[end] == '+')) ++end;
  while (end < text_.size()) {
    const char c = text_[end];
    const bool exponent_sign = (c == '-' || c == '+') && text_[end - 1] == 'e';
    if (!IsWordChar(c) && !exponent_sign) break;
    ++end;
  }
  std::string_view word = text_.substr(pos_, end - pos_);
  if (word.starts_with('+')) word.remove_prefix(1);
  TextNumber number;
  const char* last = word.data() + word.size();
  auto parsed = std::from_chars(word.data(), last, number.integer);
  if (parsed.ec != std::errc() || parsed.ptr != last) {
    uint64_t wide = 0;
    parsed = std::from_chars(word.data(), last, wide);
    number.integer = static_cast<int64_t>(wide);
  }
  number.is_float = parsed.ec != std::errc() || parsed.ptr != last;
  const auto real = std::from_chars(word.data(), last, number.real);
  if (word.empty() || real.ptr != last || real.ec == std::errc::invalid_argument) {
    return Fail("expected a number");
  }
  if (real.ec == std::errc::result_out_of_range) return Fail("the number is out of range");
  pos_ = end;
  return number;
}

Result<int64_t> TextCursor::ReadInt() {
  ASSIGN_OR_RETURN(const TextNumber number, ReadNumber());
  if (number.is_float) return Fail("expected an integer");
  return number.integer;
}

Result<TensorType> TextCursor::ReadType() {
  if (!Take("optional")) return ReadSequenceType();
  RETURN_IF_ERROR(Expect("("));
  ASSIGN_OR_RETURN(TensorType type, ReadSequenceType());
  type.kind = OptionalOf(type.kind);
  RETURN_IF_ERROR(Expect(")"));
  return type;
}

Result<TensorType> TextCursor::ReadSequenceType() {
  if (!Take("seq")) return ReadTensorType();
  RETURN_IF_ERROR(Expect("("));
  ASSIGN_OR_RETURN(TensorType type, ReadTensorType());
  type.kind = ValueKind::kSequence;
  RETURN_IF_ERROR(Expect(")"));
  return type;
}

Result<TensorType> TextCursor::ReadTensorType() {
  ASSIGN_OR_RETURN(const std::string name, ReadIdentifier());
  const auto dtype = name == "undefined" ? ElementType::kUndefined : ParseElementType(name);
  if (!dtype) return Fail(StrCat("unknown element type '", name, "'"));
  RETURN_IF_ERROR(Expect("["));
  const size_t close = text_.find(']', pos_);
  if (close == std::string_view::npos) return Fail("a shape does not end");
  const std::string_view inner = text_.substr(pos_, close - pos_);
  TensorType type(*dtype);
  if (inner != "*") {
    type.dims.emplace();
    for (const std::string_view part :
         inner.empty() ? std::vector<std::string_view>() : SplitDims(inner)) {
      if (part.size() > kMaxDimText || type.dims->size() >= kMaxRank) {
        return Fail("the shape is too long");
      }
      auto dim = Dim::Parse(part);
      if (!dim.ok()) return Fail(dim.status().message());
      // Expanded products and remainders grow; what is accepted must be readable again as printed.
      if (dim->ToString().size() > kMaxDimText) return Fail("the shape is too long once expanded");
      type.dims->push_back(*dim);
    }
  }
  pos_ = close + 1;
  return type;
}

}  // namespace cairn
