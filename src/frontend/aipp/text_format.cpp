// SPDX-License-Identifier: Apache-2.0
// A recursive-descent parser.
#include "frontend/aipp/text_format.h"

namespace cairn::aipp {
namespace {

constexpr int kMaxDepth = 16;

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-' || c == '+';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  /// Fields up to the end of the message: '}' or, outside of all, the end of the text.
  Status Fields(int depth, std::vector<TextField>& fields) {
    while (true) {
      SkipSpace();
      if (AtEnd()) {
        if (depth == 0) return OkStatus();
        return Fail("a '}' is missing at the end of the file");
      }
      if (Peek() == '}') {
        if (depth == 0) return Fail("'}' without '{'");
        ++at_;
        return OkStatus();
      }
      RETURN_IF_ERROR(Field(depth, fields));
    }
  }

 private:
  bool AtEnd() const { return at_ >= text_.size(); }
  char Peek() const { return text_[at_]; }

  void SkipSpace() {
    for (; !AtEnd(); ++at_) {
      const char c = Peek();
      if (c == '#') {
        while (!AtEnd() && Peek() != '\n') ++at_;
        if (AtEnd()) return;
      }
      if (Peek() == '\n') ++line_;
      const bool skipped = Peek() == '\n' || c == ' ' || c == '\t' || c == '\r' || c == ',' ||
                           c == ';';
      if (!skipped) return;
    }
  }

  Status Fail(const std::string& what) const {
    return Status(Code::kInvalidArgument, StrCat("line ", line_, ": ", what));
  }

  Status Field(int depth, std::vector<TextField>& fields) {
    TextField field;
    field.line = line_;
    field.name = Word();
    if (field.name.empty())
      return Fail(StrCat("a field name is expected, not '", std::string(1, Peek()), "'"));
    SkipSpace();
    const bool has_colon = !AtEnd() && Peek() == ':';
    if (has_colon) ++at_;
    SkipSpace();
    if (!AtEnd() && Peek() == '{') return Message(depth, std::move(field), fields);
    if (!has_colon) return Fail(StrCat("':' is expected after '", field.name, "'"));
    if (!AtEnd() && Peek() == '[') return List(field, fields);
    RETURN_IF_ERROR(Scalar(field));
    fields.push_back(std::move(field));
    return OkStatus();
  }

  Status Message(int depth, TextField field, std::vector<TextField>& fields) {
    if (depth >= kMaxDepth) return Fail("messages are nested too deeply");
    ++at_;
    field.is_message = true;
    RETURN_IF_ERROR(Fields(depth + 1, field.fields));
    fields.push_back(std::move(field));
    return OkStatus();
  }

  Status List(const TextField& head, std::vector<TextField>& fields) {
    ++at_;
    while (true) {
      SkipSpace();
      if (AtEnd()) return Fail(StrCat("']' is missing after the list of '", head.name, "'"));
      if (Peek() == ']') {
        ++at_;
        return OkStatus();
      }
      TextField field = head;
      RETURN_IF_ERROR(Scalar(field));
      fields.push_back(std::move(field));
    }
  }

  std::string Word() {
    const size_t begin = at_;
    while (!AtEnd() && IsWordCharacter(Peek())) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  Status Scalar(TextField& field) {
    if (AtEnd()) return Fail(StrCat("'", field.name, "' has no value"));
    const char quote = Peek();
    if (quote != '"' && quote != '\'') {
      field.value = Word();
      if (field.value.empty()) return Fail(StrCat("'", field.name, "' has no value"));
      return OkStatus();
    }
    const size_t end = text_.find_first_of(StrCat(std::string(1, quote), "\n"), at_ + 1);
    if (end == std::string_view::npos || text_[end] == '\n')
      return Fail(StrCat("the string of '", field.name, "' does not end"));
    field.value = std::string(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return OkStatus();
  }

  std::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

Result<std::vector<TextField>> ParseTextFormat(std::string_view text) {
  std::vector<TextField> fields;
  RETURN_IF_ERROR(Parser(text).Fields(0, fields));
  return fields;
}

}  // namespace cairn::aipp
