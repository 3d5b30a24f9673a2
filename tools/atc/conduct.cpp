// SPDX-License-Identifier: Apache-2.0
// Notes and the "not supported yet" error, both from the option table.
#include "conduct.h"

#include "base/strings.h"

namespace cairn::atc {
namespace {

bool AsksForNothing(const Option& option, const std::string& value) {
  return value == option.default_value || value.empty();
}

}  // namespace

std::vector<std::string> NotesOnOptions(const Arguments& arguments) {
  std::vector<std::string> notes;
  const uint32_t mode = 1u << arguments.GetInt("mode");
  for (const Option& option : Options()) {
    if (!arguments.Given(option.name)) continue;
    const std::string value = arguments.Get(option.name);
    if ((option.modes & mode) == 0) {
      notes.push_back(StrCat("--", option.name, " has no meaning with --mode=",
                             arguments.Get("mode"), " and was ignored"));
    } else if (option.conduct == Conduct::kNoted && !ListHas(option.real_values, value)) {
      notes.push_back(
          StrCat("--", option.name, "=", value, " accepted without effect: ", option.note));
    }
  }
  return notes;
}

bool CheckSupported(const Arguments& arguments, ErrorReport& report) {
  std::vector<std::string> names;
  std::vector<std::string> lines;
  const uint32_t mode = 1u << arguments.GetInt("mode");
  for (const Option& option : Options()) {
    if (option.conduct != Conduct::kUnsupported || !arguments.Given(option.name)) continue;
    const std::string value = arguments.Get(option.name);
    const bool ignored = (option.modes & mode) == 0;
    if (ignored || AsksForNothing(option, value) || ListHas(option.real_values, value)) continue;
    names.push_back(StrCat("--", option.name));
    lines.push_back(StrCat("--", option.name, "=", value, ": ", option.note));
  }
  if (names.empty()) return true;
  const std::string verb = names.size() == 1 ? " is" : " are";
  report.Add("E10055", {{"reason", StrCat(StrJoin(names, ", "), verb, " not supported yet")}});
  for (std::string& line : lines) report.AddDetail(std::move(line));
  return false;
}

}  // namespace cairn::atc
