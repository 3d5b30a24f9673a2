// SPDX-License-Identifier: Apache-2.0
// Help text and documentation table, both made from the option table.
#include <sstream>

#include "option.h"

namespace cairn::atc {
namespace {

constexpr size_t kWidth = 100;
constexpr size_t kIndent = 8;

// Appends `text` broken into lines of at most kWidth columns, each indented.
void AppendWrapped(std::string_view text, std::string& out) {
  std::string line;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    if (!line.empty() && kIndent + line.size() + 1 + word.size() > kWidth) {
      out.append(kIndent, ' ').append(line).append("\n");
      line.clear();
    }
    line.append(line.empty() ? "" : " ").append(word);
  }
  if (!line.empty()) out.append(kIndent, ' ').append(line).append("\n");
}

std::string ConductText(const Option& option) {
  const std::string note(option.note);
  switch (option.conduct) {
    case Conduct::kReal:
      return "";
    case Conduct::kNoted:
      return option.real_values.empty() ? "No effect here: " + note + "." : "";
    case Conduct::kUnsupported:
      break;
  }
  if (option.real_values.empty()) return "Not supported yet: " + note + ".";
  return "Only " + std::string(option.real_values) + " so far; not supported yet: " + note + ".";
}

std::string OptionHelp(const Option& option) {
  std::string text = "    --" + std::string(option.name);
  if (!option.value_form.empty()) text += "=" + std::string(option.value_form);
  text += "\n";
  std::string body(option.help);
  if (!option.default_value.empty() && option.name != "help" && option.name != "framework") {
    body += " Default: " + std::string(option.default_value) + ".";
  }
  if (const std::string conduct = ConductText(option); !conduct.empty()) body += " " + conduct;
  AppendWrapped(body, text);
  return text;
}

std::string EscapePipes(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '|') out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

std::string ConductCell(const Option& option) {
  const std::string note(option.note);
  switch (option.conduct) {
    case Conduct::kReal:
      return "yes";
    case Conduct::kNoted: {
      const std::string why = "accepted: " + note;
      if (option.real_values.empty()) return why;
      return std::string(option.real_values) + ": yes; others " + why;
    }
    case Conduct::kUnsupported:
      break;
  }
  std::string kept(option.real_values);
  const bool has_default = !option.default_value.empty() && option.default_value[0] != '-';
  if (kept.empty() && has_default) kept = std::string(option.default_value) + " (default)";
  return (kept.empty() ? "" : kept + ": yes; ") + "not yet: " + note;
}

}  // namespace

const char* SectionTitle(Section section) {
  switch (section) {
    case Section::kGeneral:
      return "Basic [General]";
    case Section::kInput:
      return "Basic [Input]";
    case Section::kOutput:
      return "Basic [Output]";
    case Section::kTarget:
      return "Basic [Target]";
    case Section::kFeature:
      return "Advanced [Feature]";
    case Section::kModelTuning:
      return "Advanced [Model Tuning]";
    case Section::kOperatorTuning:
      return "Advanced [Operator Tuning]";
    case Section::kDebug:
      return "Advanced [Debug]";
    case Section::kLegacy:
      break;
  }
  return "Legacy";
}

std::string HelpText() {
  std::string text =
      "usage: atc --model=<path> --framework=5 --output=<path> --soc_version=<name> [options]\n"
      "\n"
      "Compiles an ONNX model into one offline model, <output>.om.\n"
      "Options take their value as --name=value or --name value; a switch alone means true.\n"
      "\n"
      "example:\n"
      "    atc --model=resnet50.onnx --framework=5 --output=resnet50 --soc_version=native \\\n"
      "        --input_shape=\"input:1,3,224,224\" --log=info\n";
  const Option* previous = nullptr;
  for (const Option& option : Options()) {
    if (option.section == Section::kLegacy) continue;
    if (previous == nullptr || previous->section != option.section) {
      text += "\n" + std::string(SectionTitle(option.section)) + "\n";
    }
    text += OptionHelp(option);
    previous = &option;
  }
  return text;
}

std::string OptionTableMarkdown() {
  std::string text;
  const Option* previous = nullptr;
  for (const Option& option : Options()) {
    if (option.section == Section::kLegacy) continue;
    if (previous == nullptr || previous->section != option.section) {
      text += "\n### " + std::string(SectionTitle(option.section)) +
              "\n\n| Option | Value (default) | Meaning | Has effect |\n|---|---|---|---|\n";
    }
    std::string value = option.value_form.empty() ? "" : "`" + EscapePipes(option.value_form) + "`";
    if (!option.default_value.empty() && option.default_value[0] != '-' && option.name != "help") {
      value += " (" + std::string(option.default_value) + ")";
    }
    text += "| `--" + std::string(option.name) + "` | " + value + " | " + EscapePipes(option.help) +
            " | " + EscapePipes(ConductCell(option)) + " |\n";
    previous = &option;
  }
  return text;
}

}  // namespace cairn::atc
