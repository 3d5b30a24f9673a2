// SPDX-License-Identifier: Apache-2.0
// Reading of single words, name lookup and value checks of the command line.
#include "arguments.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "base/check.h"
#include "base/strings.h"

namespace cairn::atc {
namespace {

constexpr std::string_view kBadForm =
    "input argument value is empty or command line format is invalid";

// One word of the form --name or --name=value, its name normalised.
struct Word {
  std::string name;
  std::optional<std::string> value;
};

// The word without its leading dashes, or nullopt when it is not an option.
std::optional<std::string_view> StripDashes(std::string_view word) {
  if (word.starts_with("--")) return word.substr(2);
  const bool short_form = word == "-h" || (word.size() >= 3 && word[1] != '=');
  if (word.starts_with('-') && short_form) return word.substr(1);
  return std::nullopt;
}

Word SplitWord(std::string_view text) {
  Word word;
  const size_t equals = text.find('=');
  word.name = text.substr(0, equals);
  std::ranges::replace(word.name, '-', '_');
  if (equals != std::string_view::npos) word.value = text.substr(equals + 1);
  if (word.name == "h") word.name = "help";
  return word;
}

// Exact name, else the only option that starts with it.
const Option* Resolve(std::string_view name) {
  if (const Option* exact = FindOption(name)) return exact;
  const Option* found = nullptr;
  for (const Option& option : Options()) {
    if (name.empty() || !option.name.starts_with(name)) continue;
    if (found != nullptr) return nullptr;
    found = &option;
  }
  return found;
}

std::string UnknownOption(std::string_view name) {
  std::vector<std::string> names;
  for (const Option& option : Options()) names.emplace_back(option.name);
  const std::string near = NearestName(name, names);
  std::string text = StrCat("unknown command line flag '", name, "'");
  if (!near.empty()) text += StrCat("; did you mean '", near, "'?");
  return text;
}

std::optional<bool> ParseBool(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  if (ListHas("1,t,true,y,yes", text)) return true;
  if (ListHas("0,f,false,n,no", text)) return false;
  return std::nullopt;
}

bool IsInt32(std::string_view text) {
  int value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && text[0] != '-' && error == std::errc() &&
         end == text.data() + text.size();
}

std::string Readable(std::string_view list) {
  std::string text;
  for (std::string_view item : SplitList(list)) {
    text.append(text.empty() ? "" : ", ").append(item.empty() ? "" : item);
  }
  return text;
}

// Reports a value outside of the closed set under the code of the option.
void ReportNotAllowed(const Option& option, std::string_view value, ErrorReport& report) {
  if (option.allowed_code == "E10006") {
    report.Add("E10006", {{"value", value}, {"parameter", option.name}});
  } else if (option.allowed_code == "E10010") {
    report.Add("E10010", {{"loglevel", value}});
  } else if (option.allowed_code == "E10007") {
    report.Add("E10007", {{"parameter", option.name}, {"support", Readable(option.allowed)}});
  } else {
    const std::vector<std::string_view> items = SplitList(option.allowed);
    const std::vector<std::string> names(items.begin(), items.end());
    std::string reason = StrCat("valid values are [", Readable(option.allowed), "]");
    if (const std::string near = NearestName(value, names); !near.empty()) {
      reason += StrCat("; did you mean '", near, "'?");
    }
    report.Add("E10001",
               {{"value", value}, {"parameter", StrCat("--", option.name)}, {"reason", reason}});
  }
}

// Checks the value and brings it to its canonical form.
bool StoreValue(const Option& option, std::string value, Arguments& arguments,
                ErrorReport& report) {
  if (option.type == OptionType::kBool) {
    const auto flag = ParseBool(value);
    if (!flag) {
      report.Add("E10005", {{"value", value}, {"parameter", option.name}});
      return false;
    }
    value = *flag ? "true" : "false";
  }
  if (option.type == OptionType::kInt32 && !IsInt32(value)) {
    report.Add(
        "E10003",
        {{"value", value}, {"parameter", option.name}, {"reason", "value type must be [int32]"}});
    return false;
  }
  if (option.type == OptionType::kInt32) value.erase(0, value.find_first_not_of('0'));
  if (option.type == OptionType::kInt32 && value.empty()) value = "0";
  if (!option.allowed.empty() && !ListHas(option.allowed, value)) {
    ReportNotAllowed(option, value, report);
    return false;
  }
  arguments.Set(option.name, std::move(value));
  return true;
}

bool IsKnownOptionWord(const std::string& text) {
  const auto stripped = StripDashes(text);
  return stripped && Resolve(SplitWord(*stripped).name) != nullptr;
}

}  // namespace

std::string Arguments::Get(std::string_view name) const {
  if (const auto found = values_.find(name); found != values_.end()) return found->second;
  const Option* option = FindOption(name);
  CAIRN_CHECK(option != nullptr, "the option is not in the table");
  return std::string(option->default_value);
}

int Arguments::GetInt(std::string_view name) const {
  const std::string text = Get(name);
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool ParseArguments(std::span<const std::string> words, Arguments& arguments,
                    std::string& complaint, ErrorReport& report) {
  for (size_t i = 0; i < words.size(); ++i) {
    const auto stripped = StripDashes(words[i]);
    if (!stripped) {
      complaint = words[i].empty() || words[i][0] == '-'
                      ? std::string(kBadForm)
                      : StrCat("Non-option parameter: ", words[i]);
      return false;
    }
    Word word = SplitWord(*stripped);
    if (word.name.empty()) {
      complaint = kBadForm;
      return false;
    }
    const Option* option = Resolve(word.name);
    if (option == nullptr) {
      complaint = UnknownOption(word.name);
      return false;
    }
    if (!word.value && option->type == OptionType::kBool) word.value = "true";
    if (!word.value) {
      if (i + 1 == words.size() || IsKnownOptionWord(words[i + 1])) {
        complaint = StrCat("flag '", option->name, "' is missing its argument");
        if (!option->help.empty()) complaint += StrCat("; flag description: ", option->help);
        return false;
      }
      word.value = words[++i];
    }
    if (!StoreValue(*option, *std::move(word.value), arguments, report)) return false;
  }
  return true;
}

}  // namespace cairn::atc
