// SPDX-License-Identifier: Apache-2.0
// Reads pass switches: the fusion switch file and the optimization switch.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "passes/passes.h"

namespace cairn {
namespace {

struct OriginalName {
  std::string_view name;
  std::string_view passes;
};

constexpr OriginalName kOriginalNames[] = {
#define CAIRN_SWITCH(name, passes) {name, passes},
#include "passes/switch_names.def"
#undef CAIRN_SWITCH
};

/// Which passes ALL stands for.
enum class Group { kGraph, kKernel, kBoth };

bool InGroup(const PassDef& pass, Group group) {
  if (pass.level == PassLevel::kRequired) return false;
  const bool graph = pass.stage == PassStage::kFuse, kernel = pass.stage == PassStage::kGroup;
  return (graph && group != Group::kKernel) || (kernel && group != Group::kGraph);
}

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::vector<std::string_view> Split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(separators), text.size());
    if (const auto part = Trim(text.substr(0, end)); !part.empty()) parts.push_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool Matches(std::string_view pattern, std::string_view name) {
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  return pattern == name;
}

/// The passes `name` switches; nullopt when it is unknown. Empty: known, without effect.
std::optional<std::vector<std::string>> PassesNamed(std::string_view name) {
  std::vector<std::string> passes;
  for (const PassDef& pass : AllPasses()) {
    if (name == pass.name || name == pass.original_name) passes.push_back(pass.name);
  }
  bool known = !passes.empty();
  for (const OriginalName& original : kOriginalNames) {
    if (!Matches(original.name, name)) continue;
    known = true;
    for (const std::string_view pass : Split(original.passes, " ")) passes.emplace_back(pass);
  }
  // Requantisation and quantisation passes come in many spellings.
  known = known || name.ends_with("QuantProcessFusionPass");
  return known ? std::optional(std::move(passes)) : std::nullopt;
}

class SwitchReader {
 public:
  /// ALL first, whatever the order in the text: names override it.
  void SetDefault(bool on, Group group) {
    for (const PassDef& pass : AllPasses()) {
      if (InGroup(pass, group)) defaults_[pass.name] = on;
    }
  }

  void Set(std::string_view name, bool on) {
    const auto passes = PassesNamed(name);
    if (!passes) {
      report_.unknown.emplace_back(name);
    } else if (passes->empty()) {
      report_.without_effect.emplace_back(name);
    } else {
      for (const std::string& pass : *passes) report_.switches[pass] = on;
    }
  }

  SwitchReport Take() {
    report_.switches.insert(defaults_.begin(), defaults_.end());
    return std::move(report_);
  }

 private:
  SwitchReport report_;
  std::map<std::string, bool> defaults_;
};

Result<bool> ParseOnOff(std::string_view name, std::string_view value) {
  if (value == "on") return true;
  if (value == "off") return false;
  return Status(Code::kInvalidArgument,
                StrCat("switch '", name, "' is '", value, "', expected on or off"));
}

/// "NAME:on" items between `separators`.
Result<SwitchReport> ParseItems(std::string_view text, std::string_view separators) {
  SwitchReader reader;
  std::map<std::string, bool, std::less<>> seen;
  for (const std::string_view item : Split(text, separators)) {
    const size_t colon = item.rfind(':');
    if (colon == std::string_view::npos) {
      return Status(Code::kInvalidArgument,
                    StrCat("'", item, "' is not of the form NAME:on or NAME:off"));
    }
    const std::string_view name = Trim(item.substr(0, colon));
    ASSIGN_OR_RETURN(const bool on, ParseOnOff(name, Trim(item.substr(colon + 1))));
    if (!seen.emplace(name, on).second) {
      return Status(Code::kInvalidArgument, StrCat("switch '", name, "' is given twice"));
    }
    if (name == "ALL") {
      reader.SetDefault(on, Group::kBoth);
    } else {
      reader.Set(name, on);
    }
  }
  return reader.Take();
}

Status ReadJsonGroup(const nlohmann::json& switches, const char* key, Group group,
                     SwitchReader& reader) {
  const auto found = switches.find(key);
  if (found == switches.end()) return OkStatus();
  if (!found->is_object()) {
    return Status(Code::kInvalidArgument, StrCat("'", key, "' must be an object of NAME: on|off"));
  }
  for (const auto& [name, value] : found->items()) {
    const auto* text = value.get_ptr<const std::string*>();
    ASSIGN_OR_RETURN(const bool on,
                     ParseOnOff(name, text ? std::string_view(*text) : value.type_name()));
    if (name == "ALL") {
      reader.SetDefault(on, group);
    } else {
      reader.Set(name, on);
    }
  }
  return OkStatus();
}

Result<SwitchReport> ReadJson(const nlohmann::json& root) {
  if (!root.is_object()) {
    return Status(Code::kInvalidArgument, "the top level of the switch file must be an object");
  }
  const auto switches = root.find("Switch");
  if (switches == root.end() || !switches->is_object()) {
    return Status(Code::kInvalidArgument, "the switch file has no object 'Switch'");
  }
  SwitchReader reader;
  RETURN_IF_ERROR(ReadJsonGroup(*switches, "GraphFusion", Group::kGraph, reader));
  RETURN_IF_ERROR(ReadJsonGroup(*switches, "UBFusion", Group::kKernel, reader));
  return reader.Take();
}

}  // namespace

Result<SwitchReport> ParseFusionSwitchFile(std::string_view text) {
  if (Trim(text).empty()) return Status(Code::kIoError, "the switch file is empty");
  const auto is_control = [](char c) {
    return c >= 0 && c < ' ' && c != '\t' && c != '\r' && c != '\n';
  };
  if (std::ranges::any_of(text, is_control))
    return Status(Code::kInvalidArgument, "the switch file is not text");
  const auto root = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
  if (root.is_discarded() && Trim(text).starts_with('{'))
    return Status(Code::kInvalidArgument, "the switch file begins as JSON but is not valid JSON");
  return root.is_discarded() ? ParseItems(text, "\n") : ReadJson(root);
}

Result<SwitchReport> ParseOptimizationSwitch(std::string_view text) {
  return ParseItems(text, ";");
}

}  // namespace cairn
