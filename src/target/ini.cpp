// SPDX-License-Identifier: Apache-2.0
// Line-wise reader of description files.
#include "target/ini.h"

#include <cctype>
#include <charconv>
#include <optional>

namespace cairn::target {
namespace {

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string Fold(std::string_view section, std::string_view key) {
  std::string folded;
  for (std::string_view part : {section, std::string_view("/"), key}) {
    for (char c : part) {
      if (c != '_')
        folded.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    }
  }
  return folded;
}

std::optional<double> ParseNumber(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Result<Ini> Ini::Parse(std::string_view text) {
  Ini ini;
  std::string section;
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = Trim(line.substr(0, line.find_first_of(";#")));
    if (line.empty()) continue;
    if (line.front() == '[' && line.back() == ']') {
      section = Trim(line.substr(1, line.size() - 2));
      continue;
    }
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos || section.empty()) {
      return Status(
          Code::kInvalidArgument,
          StrCat("line ", number, ": expected [Section] or key=value, found '", line, "'"));
    }
    ini.values_[Fold(section, Trim(line.substr(0, equals)))] = Trim(line.substr(equals + 1));
  }
  return ini;
}

std::string Ini::Get(std::string_view section, std::string_view key) const {
  const auto found = values_.find(Fold(section, key));
  return found == values_.end() ? std::string() : found->second;
}

Result<double> Ini::GetNumber(std::string_view section, std::string_view key,
                              double fallback) const {
  const std::string text = Get(section, key);
  if (text.empty()) return fallback;
  const size_t slash = text.find('/');
  const auto value = ParseNumber(Trim(std::string_view(text).substr(0, slash)));
  std::optional<double> divisor = 1;
  if (slash != std::string::npos)
    divisor = ParseNumber(Trim(std::string_view(text).substr(slash + 1)));
  if (!value || !divisor || *divisor == 0) {
    return Status(Code::kInvalidArgument,
                  StrCat("[", section, "] ", key, ": '", text, "' is not a number"));
  }
  return *value / *divisor;
}

}  // namespace cairn::target
