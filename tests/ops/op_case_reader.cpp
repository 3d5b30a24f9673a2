// SPDX-License-Identifier: Apache-2.0
// Reads operator cases from their text form.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>

#include "ops/op_case.h"

namespace cairn {
namespace {

/// Cuts words, brackets and quoted strings off a line.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}

  bool AtEnd() {
    Skip();
    return text_.empty();
  }
  bool Take(std::string_view token) {
    Skip();
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }
  /// The next run of characters other than space, comma and brackets.
  std::string Word() {
    Skip();
    size_t end = 0;
    while (end < text_.size() && !std::isspace(static_cast<unsigned char>(text_[end])) &&
           std::string_view(",[]=").find(text_[end]) == std::string_view::npos) {
      ++end;
    }
    std::string word(text_.substr(0, end));
    text_.remove_prefix(end);
    return word;
  }
  bool AtQuote() {
    Skip();
    return !text_.empty() && text_[0] == '"';
  }
  std::string Quoted() {
    const size_t end = text_.find('"', 1);
    std::string text(text_.substr(1, end == std::string_view::npos ? text_.size() : end - 1));
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    return text;
  }

  /// What comes before the next ';', which is cut off too.
  std::string_view Item() {
    const size_t end = std::min(text_.find(';'), text_.size());
    const std::string_view item = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    return item;
  }

 private:
  void Skip() {
    while (!text_.empty() &&
           (std::isspace(static_cast<unsigned char>(text_[0])) || text_[0] == ',')) {
      text_.remove_prefix(1);
    }
  }
  std::string_view text_;
};

Status Bad(std::string_view what, std::string_view text) {
  return Status(Code::kInvalidArgument, StrCat(what, " '", text, "'"));
}

Result<int64_t> ParseInt(const std::string& word) {
  if (word == "true") return 1;
  if (word == "false") return 0;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc() && end == word.data() + word.size()) return value;
  uint64_t wide = 0;
  const auto [end_wide, error_wide] = std::from_chars(word.data(), word.data() + word.size(), wide);
  if (error_wide == std::errc() && end_wide == word.data() + word.size())
    return static_cast<int64_t>(wide);
  return Bad("no integer:", word);
}

Result<double> ParseDouble(const std::string& word) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != '\0') return Bad("no number:", word);
  return value;
}

/// "f32[2,3] = 1 2 3 4 5 6"; one value fills the whole tensor.
Result<Tensor> ReadTensor(LineReader& line) {
  const std::string type = line.Word();
  const auto dtype = ParseElementType(type);
  if (!dtype || !line.Take("[")) return Bad("no tensor type:", type);
  Shape shape;
  while (!line.Take("]")) {
    ASSIGN_OR_RETURN(const int64_t dim, ParseInt(line.Word()));
    shape.push_back(dim);
  }
  if (!line.Take("=")) return Bad("missing '=' after", type);
  ASSIGN_OR_RETURN(Tensor tensor, Tensor::Allocate(*dtype, std::move(shape)));
  int64_t count = 0;
  for (; !line.AtEnd(); ++count) {
    if (count >= tensor.num_elements()) return Bad("too many values for", type);
    if (*dtype == ElementType::kString) {
      tensor.mutable_strings()[static_cast<size_t>(count)] =
          line.AtQuote() ? line.Quoted() : line.Word();
    } else if (IsFloat(*dtype)) {
      ASSIGN_OR_RETURN(const double value, ParseDouble(line.Word()));
      tensor.SetDouble(count, value);
    } else {
      ASSIGN_OR_RETURN(const int64_t value, ParseInt(line.Word()));
      tensor.SetInt(count, value);
    }
  }
  if (count != 1 && count != tensor.num_elements()) return Bad("too few values for", type);
  for (int64_t i = 1; count == 1 && i < tensor.num_elements(); ++i) {
    if (IsFloat(*dtype)) {
      tensor.SetDouble(i, tensor.GetDouble(0));
    } else {
      tensor.SetInt(i, tensor.GetInt(0));
    }
  }
  return tensor;
}

/// A tensor; "seq f32 = <tensor>; <tensor>"; "optional <value>"; "nothing f32", an optional.
Result<Tensor> ReadValue(LineReader& line) {
  if (line.Take("optional ")) {
    ASSIGN_OR_RETURN(Tensor value, ReadValue(line));
    return Tensor::Optional(std::move(value));
  }
  const bool sequence = line.Take("seq ");
  if (!sequence && !line.Take("nothing ")) return ReadTensor(line);
  const std::string type = line.Word();
  const auto dtype = ParseElementType(type);
  if (!dtype) return Bad("no element type:", type);
  if (!sequence) return Tensor::Nothing(TensorType(*dtype).As(ValueKind::kOptional));
  if (!line.Take("=")) return Bad("missing '=' after", type);
  std::vector<Tensor> items;
  while (!line.AtEnd()) {
    LineReader item(line.Item());
    ASSIGN_OR_RETURN(Tensor tensor, ReadTensor(item));
    items.push_back(std::move(tensor));
  }
  return Tensor::Sequence(*dtype, std::move(items));
}

bool LooksFloat(const std::string& word) {
  return word.find_first_of(".en") != std::string::npos && word != "true" && word != "false";
}

Result<Attribute> ReadAttribute(LineReader& line) {
  if (line.AtQuote()) return Attribute(line.Quoted());
  if (line.Take("tensor ")) {
    ASSIGN_OR_RETURN(Tensor tensor, ReadTensor(line));
    return Attribute(std::move(tensor));
  }
  if (line.Take("type ")) {
    const std::string name = line.Word();
    const auto dtype = ParseElementType(name);
    if (!dtype) return Bad("no element type:", name);
    return Attribute(TensorType(*dtype));
  }
  if (!line.Take("[")) {
    const std::string word = line.Word();
    if (LooksFloat(word)) {
      ASSIGN_OR_RETURN(const double value, ParseDouble(word));
      return Attribute(static_cast<float>(value));
    }
    ASSIGN_OR_RETURN(const int64_t value, ParseInt(word));
    return Attribute(value);
  }
  Ints ints;
  Floats floats;
  Strings strings;
  while (!line.Take("]")) {
    if (line.AtQuote()) {
      strings.push_back(line.Quoted());
      line.Take(",");
      continue;
    }
    const std::string word = line.Word();
    if (LooksFloat(word)) {
      ASSIGN_OR_RETURN(const double value, ParseDouble(word));
      floats.push_back(static_cast<float>(value));
    } else {
      ASSIGN_OR_RETURN(const int64_t value, ParseInt(word));
      ints.push_back(value);
    }
  }
  if (!strings.empty()) return Attribute(std::move(strings));
  return floats.empty() ? Attribute(std::move(ints)) : Attribute(std::move(floats));
}

Status ReadLine(LineReader& line, OpCaseFile& file, int number) {
  const std::string keyword = line.Word();
  if (keyword == "op") {
    file.op = line.Word();
    return OkStatus();
  }
  if (keyword == "case") {
    file.cases.push_back({});
    file.cases.back().name = line.Word();
    file.cases.back().line = number;
    return OkStatus();
  }
  if (file.cases.empty()) return Bad("before the first case:", keyword);
  OpCase& test = file.cases.back();
  if (keyword == "in" || keyword == "out") {
    auto& list = keyword == "in" ? test.inputs : test.outputs;
    if (line.Take("absent") || line.Take("any")) {
      list.push_back(std::nullopt);
      return OkStatus();
    }
    ASSIGN_OR_RETURN(Tensor value, ReadValue(line));
    list.push_back(std::move(value));
  } else if (keyword == "attr") {
    const std::string name = line.Word();
    if (!line.Take("=")) return Bad("missing '=' after", name);
    ASSIGN_OR_RETURN(test.attributes[name], ReadAttribute(line));
  } else if (keyword == "error" || keyword == "static_error") {
    test.error_is_static = keyword == "static_error";
    if (!line.AtQuote()) return Bad("error needs a quoted text", "");
    test.error = line.Quoted();
    if (test.error.empty()) return Bad("error needs a text that is not empty", "");
  } else if (keyword == "tolerance") {
    ASSIGN_OR_RETURN(test.tolerance, ParseDouble(line.Word()));
  } else {
    return Bad("unknown keyword", keyword);
  }
  return OkStatus();
}

}  // namespace

Result<OpCaseFile> ReadOpCases(const std::filesystem::path& path) {
  OpCaseFile file;
  std::ifstream stream(path);
  if (!stream) return Status(Code::kNotFound, StrCat("cannot open '", path.string(), "'"));
  std::string text;
  for (int number = 1; std::getline(stream, text); ++number) {
    LineReader line(text);
    if (line.AtEnd() || line.Take("#")) continue;
    const Status status = ReadLine(line, file, number);
    if (!status.ok()) return status.WithContext(StrCat(path.filename().string(), ":", number));
  }
  return file;
}

}  // namespace cairn
