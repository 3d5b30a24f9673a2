// SPDX-License-Identifier: Apache-2.0
// The grammar of --output_type and of the lists beside --input_fp16_nodes and --out_nodes.
#include "io_options.h"

#include <algorithm>
#include <charconv>

#include "base/strings.h"
#include "input_shape.h"

namespace cairn::atc {
namespace {

struct TypeName {
  std::string_view name;
  ElementType type;
};

constexpr TypeName kTypeNames[] = {
    {"FP32", ElementType::kF32},   {"FP16", ElementType::kF16},   {"UINT8", ElementType::kU8},
    {"INT8", ElementType::kI8},    {"UINT16", ElementType::kU16}, {"INT16", ElementType::kI16},
    {"UINT32", ElementType::kU32}, {"INT32", ElementType::kI32},  {"UINT64", ElementType::kU64},
    {"INT64", ElementType::kI64},  {"DOUBLE", ElementType::kF64}};

std::optional<ElementType> TypeOf(std::string_view name) {
  const auto found = std::ranges::find(kTypeNames, name, &TypeName::name);
  return found == std::end(kTypeNames) ? std::nullopt : std::optional(found->type);
}

bool Invalid(std::string_view option, std::string_view value, std::string_view reason,
             ErrorReport& report) {
  report.Add("E10001", {{"value", value}, {"parameter", StrCat("--", option)}, {"reason", reason}});
  return false;
}

std::vector<std::string> Items(const std::string& text, char separator) {
  std::vector<std::string> items;
  for (const std::string_view item : SplitTrimmed(text, separator)) {
    if (!item.empty()) items.emplace_back(item);
  }
  return items;
}

/// "node:index:TYPE", the node's name may hold colons.
bool ReadNodeType(const std::string& item, const std::vector<std::string>& out_nodes,
                  compiler::NodeOutputType& wanted, ErrorReport& report) {
  const size_t last = item.rfind(':');
  const size_t middle = last == std::string::npos || last == 0 ? last : item.rfind(':', last - 1);
  const auto type = last == std::string::npos ? std::nullopt : TypeOf(item.substr(last + 1));
  if (!type || middle == std::string::npos || middle == 0) {
    std::vector<std::string_view> names;
    for (const TypeName& name : kTypeNames) names.push_back(name.name);
    return Invalid("output_type", item,
                   StrCat("it must be one type for all outputs or \"node:index:type;...\" with a "
                          "type of ",
                          StrJoin(names, ", ")),
                   report);
  }
  const std::string number = item.substr(middle + 1, last - middle - 1);
  const char* end = number.data() + number.size();
  const auto parsed = std::from_chars(number.data(), end, wanted.index);
  if (parsed.ec != std::errc() || parsed.ptr != end || wanted.index < 0) {
    return Invalid("output_type", item, StrCat("'", number, "' is no output index"), report);
  }
  wanted.node = item.substr(0, middle);
  wanted.type = *type;
  const std::string output = item.substr(0, last);
  if (std::ranges::find(out_nodes, output) != out_nodes.end()) return true;
  return Invalid("output_type", item, StrCat("--out_nodes must name the output '", output, "' too"),
                 report);
}

bool ReadOutputTypes(const Arguments& arguments, compiler::IoTypeOptions& options,
                     ErrorReport& report) {
  const std::string text = arguments.Get("output_type");
  if (text.empty()) return true;
  options.output_type = TypeOf(text);
  if (options.output_type) return true;
  const std::vector<std::string> out_nodes = Items(arguments.Get("out_nodes"), ';');
  for (const std::string& item : Items(text, ';')) {
    compiler::NodeOutputType wanted;
    if (!ReadNodeType(item, out_nodes, wanted, report)) return false;
    options.output_types.push_back(std::move(wanted));
  }
  return true;
}

/// A list of true and false with one item for each of `names`; empty when the option is not given.
bool ReadFlags(const Arguments& arguments, std::string_view option, std::string_view names_option,
               size_t names, std::vector<bool>& flags, ErrorReport& report) {
  const std::string text = arguments.Get(option);
  if (text.empty()) return true;
  for (const std::string_view item : SplitTrimmed(text, ',')) {
    if (item != "true" && item != "false") {
      report.Add("E10005", {{"value", item}, {"parameter", option}});
      return false;
    }
    flags.push_back(item == "true");
  }
  if (names == 0) {
    flags.clear();
    return true;
  }
  if (flags.size() == names) return true;
  return Invalid(option, text,
                 StrCat("it has ", flags.size(), " values, but --", names_option, " has ", names),
                 report);
}

}  // namespace

bool ReadIoOptions(const Arguments& arguments, compiler::IoTypeOptions& options,
                   ErrorReport& report) {
  const std::vector<std::string> inputs = Items(arguments.Get("input_fp16_nodes"), ';');
  const size_t outputs = Items(arguments.Get("out_nodes"), ';').size();
  std::vector<bool> blocked;
  if (!ReadOutputTypes(arguments, options, report) ||
      !ReadFlags(arguments, "is_input_adjust_hw_layout", "input_fp16_nodes", inputs.size(), blocked,
                 report) ||
      !ReadFlags(arguments, "is_output_adjust_hw_layout", "out_nodes", outputs,
                 options.blocked_outputs, report)) {
    return false;
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    options.half_inputs.push_back({inputs[i], i < blocked.size() && blocked[i]});
  }
  return true;
}

}  // namespace cairn::atc
