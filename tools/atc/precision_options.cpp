// SPDX-License-Identifier: Apache-2.0
// Precision modes and the files beside them.
#include "precision_options.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/strings.h"
#include "input_shape.h"

namespace cairn::atc {
namespace {

using Mode = PrecisionPolicy::Mode;
using Names = std::set<std::string, std::less<>>;

bool Invalid(std::string_view option, std::string_view value, std::string_view reason,
             ErrorReport& report) {
  report.Add("E10001", {{"value", value}, {"parameter", StrCat("--", option)}, {"reason", reason}});
  return false;
}

std::string ReadText(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

struct ModeRow {
  std::string_view name;
  Mode mode;
  ElementType type;
};

constexpr ModeRow kModes[] = {
    {"force_fp16", Mode::kAll, ElementType::kF16},
    {"fp16", Mode::kAll, ElementType::kF16},
    {"allow_fp32_to_fp16", Mode::kMatrix, ElementType::kF16},
    {"allow_fp32_to_bf16", Mode::kMatrix, ElementType::kBf16},
    {"allow_mix_precision", Mode::kMixed, ElementType::kF16},
    {"allow_mix_precision_fp16", Mode::kMixed, ElementType::kF16},
    {"mixed_float16", Mode::kMixed, ElementType::kF16},
    {"allow_mix_precision_bf16", Mode::kMixed, ElementType::kBf16},
    {"mixed_bfloat16", Mode::kMixed, ElementType::kBf16},
};

void SetMode(const Arguments& arguments, PassOptions& passes) {
  const std::string old_name = arguments.Get("precision_mode");
  const std::string name = old_name.empty() ? arguments.Get("precision_mode_v2") : old_name;
  PrecisionPolicy& policy = passes.context.precision;
  policy.clip_constants = arguments.Get("is_weight_clip") != "0";
  policy.white = DefaultWhiteList();
  policy.black = DefaultBlackList();
  if (name == "force_fp32" || name == "cube_fp16in_fp32out") {
    passes.context.only_float32 = true;
    passes.switches["ComputeInFloat32"] = true;
    return;
  }
  const auto row = std::ranges::find(kModes, name, &ModeRow::name);
  if (row == std::end(kModes)) return;
  policy.mode = row->mode;
  policy.type = row->type;
  passes.switches["ComputeInFloat32"] = true;
}

// ---- --modify_mixlist

/// The names of one action of one list; nullopt after an error.
std::optional<std::vector<std::string>> ListNames(const nlohmann::json& root, const char* list,
                                                  const char* action) {
  std::vector<std::string> names;
  if (!root.contains(list)) return names;
  const nlohmann::json& actions = root[list];
  if (!actions.is_object()) return std::nullopt;
  if (!actions.contains(action)) return names;
  if (!actions[action].is_array()) return std::nullopt;
  for (const nlohmann::json& name : actions[action]) {
    if (!name.is_string()) return std::nullopt;
    names.push_back(OperatorNamed(name.get<std::string>()));
  }
  return names;
}

bool ReadMixList(const std::string& path, PrecisionPolicy& policy, ErrorReport& report) {
  if (path.empty()) return true;
  const auto root = nlohmann::json::parse(ReadText(path), nullptr, false);
  if (root.is_discarded() || !root.is_object()) {
    report.Add("E10032", {{"file_name", path},
                          {"reason", "it must be an object with black-list and white-list"}});
    return false;
  }
  struct Change {
    const char *list, *action;
    Names PrecisionPolicy::*into;
    Names PrecisionPolicy::*out_of;
  };
  // Removals first, so that an operator may move from one list to the other.
  const Change changes[] = {
      {"black-list", "to-remove", nullptr, &PrecisionPolicy::black},
      {"white-list", "to-remove", nullptr, &PrecisionPolicy::white},
      {"black-list", "to-add", &PrecisionPolicy::black, &PrecisionPolicy::white},
      {"white-list", "to-add", &PrecisionPolicy::white, &PrecisionPolicy::black}};
  for (const Change& change : changes) {
    const auto names = ListNames(root, change.list, change.action);
    if (!names) {
      report.Add("E10032", {{"file_name", path},
                            {"reason", StrCat("'", change.action, "' of '", change.list,
                                              "' must be a list of operator types")}});
      return false;
    }
    for (const std::string& name : *names) {
      (policy.*change.out_of).erase(name);
      if (change.into) (policy.*change.into).insert(name);
    }
  }
  return true;
}

// ---- --keep_dtype and --customize_dtypes

constexpr std::string_view kOpType = "OpType::";

std::vector<std::string> Lines(const std::string& path) {
  std::vector<std::string> lines;
  std::istringstream text(ReadText(path));
  for (std::string line; std::getline(text, line);) {
    const std::string_view trimmed = Trim(line);
    if (!trimmed.empty() && trimmed[0] != '#') lines.emplace_back(trimmed);
  }
  return lines;
}

void ReadKeptOperators(const std::string& path, PrecisionPolicy& policy) {
  if (path.empty()) return;
  for (const std::string& line : Lines(path)) {
    if (line.starts_with(kOpType)) {
      policy.kept_ops.insert(OperatorNamed(Trim(std::string_view(line).substr(kOpType.size()))));
    } else {
      policy.kept_nodes.insert(line);
    }
  }
}

/// kUndefined for types that are no floats; nullopt for names that are no types.
std::optional<ElementType> CustomType(std::string_view name) {
  if (name == "float16" || name == "fp16") return ElementType::kF16;
  if (name == "bfloat16" || name == "bf16") return ElementType::kBf16;
  if (name == "float32" || name == "float" || name == "fp32") return ElementType::kF32;
  constexpr std::string_view kOthers =
      "double,bool,int8,uint8,int16,uint16,int32,uint32,int64,uint64";
  return ListHas(kOthers, name) ? std::optional(ElementType::kUndefined) : std::nullopt;
}

/// "InputDtype:t,t,OutputDtype:t".
bool ParseOperandTypes(std::string_view text, OperandTypes& types) {
  constexpr std::string_view kInput = "InputDtype:", kOutput = "OutputDtype:";
  std::vector<ElementType>* list = nullptr;
  for (std::string_view item : SplitTrimmed(text, ',')) {
    if (item.starts_with(kInput)) {
      list = &types.inputs;
      item = Trim(item.substr(kInput.size()));
    } else if (item.starts_with(kOutput)) {
      list = &types.outputs;
      item = Trim(item.substr(kOutput.size()));
    }
    const auto type = CustomType(item);
    if (!list || !type) return false;
    list->push_back(*type);
  }
  return list != nullptr;
}

bool ReadCustomTypes(const std::string& path, PrecisionPolicy& policy, ErrorReport& report) {
  if (path.empty()) return true;
  for (const std::string& line : Lines(path)) {
    const bool by_op = line.starts_with(kOpType);
    const std::string_view rest = std::string_view(line).substr(by_op ? kOpType.size() : 0);
    const size_t end = by_op ? rest.find(':') : rest.find("::");
    const size_t skip = by_op ? 1 : 2;
    OperandTypes types;
    if (end == std::string_view::npos || end == 0 ||
        !ParseOperandTypes(rest.substr(end + skip), types)) {
      return Invalid("customize_dtypes", line,
                     "a line must have the form Name::InputDtype:type,...,OutputDtype:type,... or "
                     "OpType::Type:InputDtype:type,...,OutputDtype:type,...",
                     report);
    }
    const std::string name(Trim(rest.substr(0, end)));
    (by_op ? policy.op_types[OperatorNamed(name)] : policy.node_types[name]) = std::move(types);
  }
  return true;
}

// ---- Kernel variants

bool SetVariant(const std::string& key, std::string_view mode, bool by_op, plan::ExactChoice& exact,
                PrecisionPolicy& policy, std::vector<std::string>& notes) {
  const std::string name = by_op ? OperatorNamed(key) : key;
  (by_op ? exact.loose_ops : exact.loose_nodes).erase(name);
  if (mode == "high_precision") {
    (by_op ? exact.ops : exact.nodes).insert(name);
  } else if (mode == "high_performance" || mode == "super_performance") {
    (by_op ? exact.ops : exact.nodes).erase(name);
    (by_op ? exact.loose_ops : exact.loose_nodes).insert(name);
  } else if (mode == "enable_float_32_execution") {
    (by_op ? policy.kept_ops : policy.kept_nodes).insert(name);
  } else if (mode == "keep_fp16") {
    OperandTypes half;
    half.inputs.assign(16, ElementType::kF16);
    half.outputs.assign(16, ElementType::kF16);
    (by_op ? policy.op_types : policy.node_types)[name] = std::move(half);
  } else if (mode == "enable_hi_float_32_execution" || mode == "support_out_of_bound_index") {
    notes.push_back(
        StrCat("--op_precision_mode: ", key, "=", mode,
               " accepted without effect: kernels compute in float32 and check indices"));
  } else {
    return false;
  }
  return true;
}

bool ReadVariantFile(const std::string& path, compiler::CompileOptions& options,
                     std::vector<std::string>& notes, ErrorReport& report) {
  if (path.empty()) return true;
  constexpr std::string_view kByType = "[ByOpType]", kByName = "[ByNodeName]";
  std::string section;
  for (const std::string& line : Lines(path)) {
    if (line == kByType || line == kByName) {
      section = line;
      continue;
    }
    const size_t equals = line.rfind('=');
    const std::string_view mode =
        equals == std::string::npos ? "" : Trim(std::string_view(line).substr(equals + 1));
    const std::string key(Trim(std::string_view(line).substr(0, std::min(equals, line.size()))));
    if (section.empty() || key.empty() ||
        !SetVariant(key, mode, section == kByType, options.plan.exact,
                    options.passes.context.precision, notes)) {
      return Invalid("op_precision_mode", path,
                     StrCat("line '", line,
                            "': expected a section [ByOpType] or [ByNodeName] and lines name=mode "
                            "with a mode of high_precision, high_performance, super_performance, "
                            "keep_fp16, enable_float_32_execution, enable_hi_float_32_execution, "
                            "support_out_of_bound_index"),
                     report);
    }
  }
  return true;
}

void ReadVariants(const Arguments& arguments, plan::ExactChoice& exact) {
  const std::string mode = arguments.Get("op_select_implmode");
  if (!mode.starts_with("high_precision")) return;
  const std::string list = arguments.Get("optypelist_for_implmode");
  if (list.empty() || mode.ends_with("_for_all")) {
    exact.all = true;
    return;
  }
  for (const std::string_view name : SplitTrimmed(list, ',')) exact.ops.insert(OperatorNamed(name));
}

}  // namespace

bool ReadPrecisionOptions(const Arguments& arguments, compiler::CompileOptions& options,
                          std::vector<std::string>& notes, ErrorReport& report) {
  SetMode(arguments, options.passes);
  PrecisionPolicy& policy = options.passes.context.precision;
  ReadKeptOperators(arguments.Get("keep_dtype"), policy);
  ReadVariants(arguments, options.plan.exact);
  return ReadMixList(arguments.Get("modify_mixlist"), policy, report) &&
         ReadVariantFile(arguments.Get("op_precision_mode"), options, notes, report) &&
         ReadCustomTypes(arguments.Get("customize_dtypes"), policy, report);
}

}  // namespace cairn::atc
