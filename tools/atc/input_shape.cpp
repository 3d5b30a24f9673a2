// SPDX-License-Identifier: Apache-2.0
// Parser of --input_shape.
#include "input_shape.h"

#include <charconv>

#include "base/strings.h"

namespace cairn::atc {
namespace {

constexpr std::string_view kParameter = "--input_shape";
constexpr std::string_view kSample = "input_name1:n1,c1,h1,w1;input_name2:n2,c2,h2,w2";

bool SyntaxError(std::string_view text, std::string_view reason, ErrorReport& report) {
  report.Add("E10002", {{"shape", text}, {"reason", reason}, {"sample", kSample}});
  return false;
}

bool NotPositive(std::string_view item, std::string_view result, ErrorReport& report) {
  report.Add("E10011", {{"shape", item}, {"result", result}});
  return false;
}

bool ParseDim(std::string_view token, std::string_view item, InputDim& dim, ErrorReport& report) {
  if (token.find('.') != std::string_view::npos) {
    return SyntaxError(item, "a dimension must be an integer, without decimal point", report);
  }
  const size_t tilde = token.find('~');
  if (tilde == std::string_view::npos) {
    if (!ParseInteger(token, kParameter, dim.low, report)) return false;
    if (dim.low == -1) {
      dim = {0, -1};
      return true;
    }
    if (dim.low <= 0) return NotPositive(item, "a dimension is not greater than 0", report);
    dim.high = dim.low;
    return true;
  }
  if (!ParseInteger(Trim(token.substr(0, tilde)), kParameter, dim.low, report) ||
      !ParseInteger(Trim(token.substr(tilde + 1)), kParameter, dim.high, report)) {
    return false;
  }
  if (dim.low < 0) return NotPositive(item, "the lower end of a range is negative", report);
  if (dim.high < -1 || (dim.high >= 0 && dim.high < dim.low)) {
    return NotPositive(item, "the upper end of a range is below its lower end", report);
  }
  return true;
}

bool ParseItem(std::string_view item, InputShape& shape, ErrorReport& report) {
  const size_t colon = item.rfind(':');
  if (colon == std::string_view::npos) {
    return SyntaxError(item, "the name of the input and its colon are missing", report);
  }
  const std::string_view name = Trim(item.substr(0, colon));
  if (name.empty()) return SyntaxError(item, "the name in front of the colon is empty", report);
  shape.name = name;
  std::string_view dims = Trim(item.substr(colon + 1));
  if (dims.starts_with('[') != dims.ends_with(']')) {
    return SyntaxError(item, "a bracket is not closed", report);
  }
  if (dims.starts_with('[')) dims = Trim(dims.substr(1, dims.size() - 2));
  if (dims.empty()) return true;
  for (std::string_view token : SplitTrimmed(dims, ',')) {
    if (token.empty()) return SyntaxError(item, "a dimension is empty", report);
    InputDim dim{};
    if (!ParseDim(token, item, dim, report)) return false;
    shape.dims.push_back(dim);
  }
  return true;
}

}  // namespace

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string_view> SplitTrimmed(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (true) {
    const size_t end = text.find(separator);
    pieces.push_back(Trim(text.substr(0, end)));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

bool ParseInteger(std::string_view text, std::string_view parameter, int64_t& value,
                  ErrorReport& report) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    report.Add("E10013", {{"value", text}, {"parameter", parameter}});
    return false;
  }
  if (error != std::errc() || end != text.data() + text.size()) {
    report.Add("E10014", {{"value", text}, {"parameter", parameter}});
    return false;
  }
  return true;
}

bool ParseInputShapes(std::string_view text, std::vector<InputShape>& shapes, ErrorReport& report) {
  std::vector<std::string_view> items = SplitTrimmed(text, ';');
  if (items.size() > 1 && items.back().empty()) items.pop_back();
  for (std::string_view item : items) {
    InputShape shape;
    if (!ParseItem(item, shape, report)) return false;
    for (const InputShape& earlier : shapes) {
      if (earlier.name == shape.name) {
        return SyntaxError(text, StrCat("input '", shape.name, "' is given twice"), report);
      }
    }
    shapes.push_back(std::move(shape));
  }
  return true;
}

}  // namespace cairn::atc
