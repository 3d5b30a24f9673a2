// SPDX-License-Identifier: Apache-2.0
// Names of the programming interface become names of the command line.
#include "raw_options.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/strings.h"
#include "checks.h"

namespace cairn::atc {
namespace {

using Json = nlohmann::json;

struct KeyName {
  std::string_view key, option;
};

/// Keys whose option does not follow from their spelling.
constexpr KeyName kKeys[] = {{"ge.insertOpFile", "insert_op_conf"},
                             {"ge.exec.disableReuseMemory", "disable_reuse_memory"},
                             {"ge.exec.disableReusedMemory", "disable_reuse_memory"},
                             {"ge.engineType", "core_type"},
                             {"ge.outputDatatype", "output_type"},
                             {"ge.outputNodeName", "out_nodes"},
                             {"ge.INPUT_NODES_SET_FP16", "input_fp16_nodes"},
                             {"ge.autoMultistreamParallelMode", "multi_stream_parallel_mode"},
                             {"ge.compile.h2dOverlappedWithCompute", "h2d_overlapped_with_compute"},
                             {"ge.oo.level", "oo_level"},
                             {"ge.oo.constantFolding", "oo_constant_folding"},
                             {"ge.oo.deadCodeElimination", "oo_dead_code_elimination"}};

/// "ge.exec.opDebugLevel" to "op_debug_level".
std::string OptionNameOf(std::string_view key) {
  const auto special = std::ranges::find(kKeys, key, &KeyName::key);
  if (special != std::end(kKeys)) return std::string(special->option);
  const std::string_view last = key.substr(key.rfind('.') + 1);
  std::string name;
  for (const char c : last) {
    if (std::isupper(static_cast<unsigned char>(c))) name += '_';
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name;
}

bool Invalid(std::string_view value, std::string_view reason, ErrorReport& report) {
  report.Add("E10001", {{"value", value}, {"parameter", "--raw_ge_options"}, {"reason", reason}});
  return false;
}

bool AddWord(const std::string& key, const Json& value, bool ignore,
             std::vector<std::string>& words, ErrorReport& report) {
  constexpr std::string_view kCommandLineOnly = "model,output,framework,soc_version,mode,om,json";
  const std::string name = OptionNameOf(key);
  if (ListHas(kCommandLineOnly, name)) {
    return Invalid(key, "it can only be given on the command line", report);
  }
  if (!FindOption(name)) {
    if (!ignore) return Invalid(key, "there is no such option here", report);
    report.AddWarning(StrCat("WARNING: --raw_ge_options: '", key, "' is not known here"));
    return true;
  }
  if (!value.is_string() && !value.is_number() && !value.is_boolean()) {
    return Invalid(key, "its value must be text, a number, or true or false", report);
  }
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  words.push_back(StrCat("--", name, "=", text));
  return true;
}

}  // namespace

bool ReadRawOptions(const Arguments& arguments, std::vector<std::string>& words,
                    ErrorReport& report) {
  const std::string path = arguments.Get("raw_ge_options");
  if (path.empty()) return true;
  if (!CheckInputFile(path, "E13026", "pathname", report)) return false;
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  const Json root = Json::parse(text.str(), nullptr, false);
  const Json options = root.is_object() ? root.value("compile options", Json()) : Json();
  if (!options.is_object()) {
    report.Add("E10032", {{"file_name", path},
                          {"reason", "it must be an object that holds \"compile options\""}});
    return false;
  }
  const bool ignore = arguments.GetBool("raw_ge_options_ignore_unsupported");
  for (const char* level : {"global", "session", "graph"}) {
    for (const auto& [key, value] : options.items()) {
      if (!key.starts_with(level) || !value.is_object()) continue;
      for (const auto& [name, setting] : value.items()) {
        if (!AddWord(name, setting, ignore, words, report)) return false;
      }
    }
  }
  return true;
}

}  // namespace cairn::atc
