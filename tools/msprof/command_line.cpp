// SPDX-License-Identifier: Apache-2.0
// The option table and its rules.
#include "msprof/command_line.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "base/strings.h"
#include "profile/options.h"

namespace msprof {
namespace {

using cairn::Code;
using cairn::OkStatus;
using cairn::Result;
using cairn::Status;
using cairn::StrCat;

enum class Value { kOnOff, kChoice, kNumber, kPath, kText, kLimit };

struct Option {
  const char* name;
  Value value;
  const char* valid;  ///< kChoice: values with commas. kNumber: "least-most".
  bool has_effect;
  const char* help;
};

constexpr const char* kMetrics =
    "PipeUtilization,ArithmeticUtilization,Memory,MemoryL0,MemoryUB,ResourceConflictRatio,L2Cache,"
    "PipelineExecuteUtilization,MemoryAccess";

constexpr Option kOptions[] = {
    {"output", Value::kPath, "", true, "folder that receives PROF_...; default: the current one"},
    {"application", Value::kText, "", true, "the application with its arguments, in one text"},
    {"environment", Value::kText, "", true, "more environment: K=V;K2=V2"},
    {"storage-limit", Value::kLimit, "", true, "200MB to 4294967295MB; oldest data are dropped"},
    {"ascendcl", Value::kOnOff, "", true, "calls of AscendCL; default on"},
    {"runtime-api", Value::kOnOff, "", true, "calls of the runtime; default off"},
    {"task-time", Value::kChoice, "on,off,l0,l1,l2,l3", true,
     "times of operators; l0: without shapes; default on"},
    {"task-memory", Value::kOnOff, "", true, "device memory over time; default off"},
    {"msproftx", Value::kOnOff, "", true, "ranges marked by the application; default off"},
    {"aic-metrics", Value::kChoice, kMetrics, true, "columns that only an NPU fills; N/A here"},
    {"export", Value::kOnOff, "", true, "write tables and timeline of recorded folders"},
    {"query", Value::kOnOff, "", true, "list what was recorded"},
    {"analyze", Value::kOnOff, "", true, "write the communication analysis"},
    {"parse", Value::kOnOff, "", true, "check recorded folders"},
    {"report", Value::kChoice, "html,text", true, "a report for people, after the run or alone"},
    {"compare", Value::kPath, "", true, "with --report: the profile to compare with"},
    {"type", Value::kChoice, "text", true, "form of the export"},
    {"summary-format", Value::kChoice, "csv", true, "form of the tables"},
    {"reports", Value::kPath, "", false, ""},
    {"rule", Value::kText, "", true, "of --analyze: communication,communication_matrix"},
    {"model-id", Value::kNumber, "0-4294967295", true, "of --export: this model alone"},
    {"iteration-id", Value::kNumber, "0-4294967295", true, "of --export: this run alone"},
    {"clear", Value::kOnOff, "", false, ""},
    {"python-path", Value::kPath, "", false, ""},
    {"model-execution", Value::kOnOff, "", false, ""},
    {"ge-api", Value::kChoice, "off,l0,l1", false, ""},
    {"ai-core", Value::kOnOff, "", false, ""},
    {"aic-mode", Value::kChoice, "task-based,sample-based", false, ""},
    {"aic-freq", Value::kNumber, "1-100", false, ""},
    {"aiv-mode", Value::kChoice, "task-based,sample-based", false, ""},
    {"aiv-metrics", Value::kChoice, kMetrics, false, ""},
    {"aiv-freq", Value::kNumber, "1-100", false, ""},
    {"ai-vector-core", Value::kOnOff, "", false, ""},
    {"aicpu", Value::kOnOff, "", false, ""},
    {"l2", Value::kOnOff, "", false, ""},
    {"hccl", Value::kOnOff, "", false, ""},
    {"task-tsfw", Value::kOnOff, "", false, ""},
    {"aicore-shape", Value::kOnOff, "", false, ""},
    {"task-block", Value::kOnOff, "", false, ""},
    {"mstx-domain-include", Value::kText, "", false, ""},
    {"mstx-domain-exclude", Value::kText, "", false, ""},
    {"sys-hardware-mem", Value::kOnOff, "", false, ""},
    {"sys-hardware-mem-freq", Value::kNumber, "1-10000", false, ""},
    {"llc-profiling", Value::kChoice, "read,write", false, ""},
    {"sys-cpu-profiling", Value::kOnOff, "", false, ""},
    {"sys-cpu-freq", Value::kNumber, "1-50", false, ""},
    {"sys-profiling", Value::kOnOff, "", false, ""},
    {"sys-sampling-freq", Value::kNumber, "1-10", false, ""},
    {"sys-pid-profiling", Value::kOnOff, "", false, ""},
    {"sys-pid-sampling-freq", Value::kNumber, "1-10", false, ""},
    {"sys-io-profiling", Value::kOnOff, "", false, ""},
    {"sys-io-sampling-freq", Value::kNumber, "1-100", false, ""},
    {"sys-interconnection-profiling", Value::kOnOff, "", false, ""},
    {"sys-interconnection-freq", Value::kNumber, "1-50", false, ""},
    {"dvpp-profiling", Value::kOnOff, "", false, ""},
    {"dvpp-freq", Value::kNumber, "1-100", false, ""},
    {"instr-profiling", Value::kOnOff, "", false, ""},
    {"instr-profiling-freq", Value::kNumber, "300-30000", false, ""},
    {"host-sys", Value::kText, "", false, ""},
    {"host-sys-pid", Value::kNumber, "0-4294967295", false, ""},
    {"host-sys-usage", Value::kText, "", false, ""},
    {"host-sys-usage-freq", Value::kNumber, "1-50", false, ""},
};

/// Ways of recording that need a service beside the application.
constexpr const char* kUnavailable[] = {"dynamic", "pid",        "sys-devices",
                                        "delay",   "sys-period", "duration"};

Status Invalid(const std::string& name, const std::string& value, const std::string& valid) {
  return Status(Code::kInvalidArgument,
                StrCat("option --", name, " has the value '", value, "', expected ", valid));
}

bool InList(const std::string& value, const std::string& list) {
  return !value.empty() && value.find(',') == std::string::npos &&
         ("," + list + ",").find("," + value + ",") != std::string::npos;
}

Status CheckNumber(const std::string& name, const std::string& value, const std::string& range) {
  const long long least = std::atoll(range.c_str());
  const long long most = std::atoll(range.c_str() + range.find('-') + 1);
  const bool digits =
      !value.empty() && value.size() < 12 &&
      std::all_of(value.begin(), value.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  const long long number = digits ? std::atoll(value.c_str()) : -1;
  if (number < least || number > most)
    return Invalid(name, value, StrCat("a number from ", least, " to ", most));
  return OkStatus();
}

Status CheckPath(const std::string& name, const std::string& value) {
  if (value.empty()) return Invalid(name, value, "a path");
  const size_t bad = value.find_first_of("\"'\\%<>|&$;`\n\r\t");
  if (bad != std::string::npos)
    return Invalid(name, value, StrCat("a path without the character '", value[bad], "'"));
  return OkStatus();
}

Status CheckValue(const Option& option, const std::string& value) {
  const std::string name = option.name;
  switch (option.value) {
    case Value::kOnOff:
      return InList(value, "on,off") ? OkStatus() : Invalid(name, value, "on or off");
    case Value::kChoice:
      if (value.rfind("Custom:", 0) == 0 && name == "aic-metrics") return OkStatus();
      return InList(value, option.valid) ? OkStatus()
                                         : Invalid(name, value, StrCat("one of ", option.valid));
    case Value::kNumber:
      return CheckNumber(name, value, option.valid);
    case Value::kPath:
      return CheckPath(name, value);
    case Value::kLimit:
      return cairn::profile::ParseStorageLimit(value).ok()
                 ? OkStatus()
                 : Invalid(name, value, "200MB to 4294967295MB");
    case Value::kText:
      return value.empty() ? Invalid(name, value, "a text") : OkStatus();
  }
  return OkStatus();
}

Status UnknownOption(const std::string& name) {
  for (const char* unavailable : kUnavailable)
    if (name == unavailable)
      return Status(
          Code::kUnsupported,
          StrCat("option --", name,
                 " is not available: give the application to msprof, or call aclprofStart "
                 "and aclprofStop around the part to record"));
  std::vector<std::string> names;
  for (const Option& option : kOptions) names.emplace_back(option.name);
  const std::string nearest = cairn::NearestName(name, names);
  return Status(Code::kInvalidArgument,
                StrCat("option --", name, " is not known",
                       nearest.empty() ? "" : StrCat("; did you mean --", nearest, "?")));
}

Status TakeOption(const std::string& argument, CommandLine& command) {
  const size_t equals = argument.find('=');
  const std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
  const auto* option = std::find_if(std::begin(kOptions), std::end(kOptions),
                                    [&](const Option& entry) { return name == entry.name; });
  if (option == std::end(kOptions)) return UnknownOption(name);
  if (equals == std::string::npos)
    return Status(Code::kInvalidArgument,
                  StrCat("option --", name, " needs a value: --", name, "=VALUE"));
  const std::string value = argument.substr(equals + 1);
  RETURN_IF_ERROR(CheckValue(*option, value));
  command.options[name] = value;
  if (!option->has_effect && value != "off") command.ignored.push_back(name);
  return OkStatus();
}

Status ChooseMode(CommandLine& command) {
  const std::pair<const char*, Mode> modes[] = {{"export", Mode::kExport},
                                                {"query", Mode::kQuery},
                                                {"analyze", Mode::kAnalyze},
                                                {"parse", Mode::kParse}};
  const bool runs = !command.application.empty();
  command.mode = runs                                  ? Mode::kRun
                 : command.options.count("report") > 0 ? Mode::kReport
                                                       : Mode::kHelp;
  for (const auto& [name, mode] : modes) {
    if (command.Get(name) != "on") continue;
    if (runs)
      return Status(Code::kInvalidArgument,
                    StrCat("option --", name, " and an application exclude each other"));
    command.mode = mode;
  }
  if (command.mode == Mode::kHelp)
    return Status(Code::kInvalidArgument,
                  "neither an application nor --export, --query, --analyze or --report was given");
  if (!runs && command.Get("output").empty())
    return Status(Code::kInvalidArgument,
                  "option --output is needed: a folder PROF_... or one that "
                  "holds some");
  if (command.options.count("iteration-id") != command.options.count("model-id"))
    return Status(Code::kInvalidArgument, "--model-id and --iteration-id go together");
  return OkStatus();
}

}  // namespace

Result<std::vector<std::string>> SplitWords(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = '\0';
  for (const char c : text) {
    if (quote != '\0') {
      if (c == quote)
        quote = '\0';
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t') {
      if (in_word) words.push_back(std::exchange(word, ""));
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote != '\0')
    return Status(Code::kInvalidArgument,
                  StrCat("--application: the quote ", quote, " is not closed"));
  if (in_word) words.push_back(word);
  return words;
}

Result<CommandLine> ParseCommandLine(const std::vector<std::string>& arguments) {
  CommandLine command;
  size_t i = 0;
  for (; i < arguments.size() && arguments[i].rfind("--", 0) == 0; ++i) {
    if (arguments[i] == "--help") return command;
    RETURN_IF_ERROR(TakeOption(arguments[i], command));
  }
  if (arguments.empty() || arguments[0] == "-h") return command;
  command.application.assign(arguments.begin() + static_cast<ptrdiff_t>(i), arguments.end());
  if (command.options.count("application") > 0) {
    if (!command.application.empty())
      return Status(Code::kInvalidArgument,
                    StrCat("both --application and '", command.application[0], "' were given"));
    ASSIGN_OR_RETURN(command.application, SplitWords(command.Get("application")));
  }
  if (!command.application.empty() && command.application[0][0] == '-')
    return Status(Code::kInvalidArgument, StrCat("'", command.application[0],
                                                 "' is neither an option nor an application; "
                                                 "options begin with --"));
  RETURN_IF_ERROR(ChooseMode(command));
  return command;
}

std::string HelpText() {
  std::string text =
      "Usage: msprof [OPTIONS] APPLICATION [ARGUMENTS]\n"
      "       msprof [OPTIONS] --application=\"APPLICATION [ARGUMENTS]\"\n"
      "       msprof --export=on|--query=on|--analyze=on --output=FOLDER\n"
      "       msprof --report=html|text --output=FOLDER [--compare=FOLDER]\n\n"
      "Records what an application does on the device and writes tables, a timeline and a "
      "report.\n\n"
      "Options:\n";
  for (const Option& option : kOptions) {
    if (*option.help == '\0') continue;
    std::string name = StrCat("  --", option.name, "=");
    name.resize(std::max<size_t>(name.size() + 1, 22), ' ');
    text += name + option.help + "\n";
  }
  return text +
         "\nAccepted without effect, for hardware that a CPU does not have: --ai-core, "
         "--l2,\n--hccl, --dvpp-profiling, --sys-... and others.\n";
}

}  // namespace msprof
