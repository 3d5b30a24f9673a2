// SPDX-License-Identifier: Apache-2.0
// Reads the descriptions of single operators and compiles them one after another.
#include "single_op.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace cairn::atc {
namespace {

using Json = nlohmann::json;
using compiler::SingleOp;
using compiler::SingleOpTensor;

template <class T>
struct Named {
  std::string_view name;
  T value;
};

constexpr Named<ElementType> kTypes[] = {
    {"bool", ElementType::kBool},     {"int8", ElementType::kI8},
    {"uint8", ElementType::kU8},      {"int16", ElementType::kI16},
    {"uint16", ElementType::kU16},    {"int32", ElementType::kI32},
    {"uint32", ElementType::kU32},    {"int64", ElementType::kI64},
    {"uint64", ElementType::kU64},    {"float16", ElementType::kF16},
    {"fp16", ElementType::kF16},      {"half", ElementType::kF16},
    {"float", ElementType::kF32},     {"float32", ElementType::kF32},
    {"double", ElementType::kF64},    {"bfloat16", ElementType::kBf16},
    {"complex64", ElementType::kC64}, {"complex128", ElementType::kC128},
    {"int4", ElementType::kI4},       {"UNDEFINED", ElementType::kUndefined}};

constexpr Named<int32_t> kFormats[] = {{"NCHW", 0},    {"NHWC", 1},        {"ND", 2},
                                       {"NC1HWC0", 3}, {"FRACTAL_Z", 4},   {"NCDHW", 30},
                                       {"NDHWC", 27},  {"FRACTAL_NZ", 29}, {"RESERVED", 40}};

template <class T, size_t N>
std::optional<T> Find(const Named<T> (&table)[N], const Json& object, const char* key) {
  const auto name = object.find(key);
  if (name == object.end() || !name->is_string()) return std::nullopt;
  const auto text = name->template get<std::string>();
  for (const Named<T>& row : table) {
    if (row.name == text) return row.value;
  }
  return std::nullopt;
}

/// Empty for a good tensor, else what is wrong.
std::string ReadTensor(const Json& json, SingleOpTensor& tensor) {
  if (!json.is_object()) return "it is no object";
  const auto format = Find(kFormats, json, "format");
  const auto type = Find(kTypes, json, "type");
  if (!format) return "its format is missing or unknown";
  if (!type) return "its type is missing or unknown";
  tensor.format = *format;
  tensor.type = *type;
  tensor.is_absent = *type == ElementType::kUndefined || *format == 40;
  const Json shape = json.value("shape", Json::array());
  if (!shape.is_array()) return "its shape is no list";
  for (const Json& dim : shape) {
    if (!dim.is_number_integer()) return "its shape holds something else than integers";
    tensor.dims.push_back(dim.get<int64_t>());
  }
  const auto flag = json.find("is_const");
  tensor.is_constant = flag != json.end() && flag->is_boolean() && flag->get<bool>();
  if (!tensor.is_constant) return "";
  const Json values = json.value("const_value", Json::array());
  if (!values.is_array()) return "its const_value is no list";
  for (const Json& value : values) {
    if (!value.is_number() && !value.is_boolean()) return "its const_value holds no numbers";
    tensor.values.push_back(value.is_boolean() ? (value.get<bool>() ? 1.0 : 0.0)
                                               : value.get<double>());
  }
  return "";
}

template <class T>
std::optional<Attribute> ListOf(const Json& value, bool (Json::*is)() const) {
  if (!value.is_array()) return std::nullopt;
  std::vector<T> list;
  for (const Json& item : value) {
    if (!(item.*is)()) return std::nullopt;
    list.push_back(item.get<T>());
  }
  return list;
}

std::optional<Attribute> ReadAttribute(const std::string& type, const Json& value) {
  if (type == "bool" && value.is_boolean()) return int64_t{value.get<bool>() ? 1 : 0};
  if (type == "int" && value.is_number_integer()) return value.get<int64_t>();
  if (type == "float" && value.is_number()) return value.get<float>();
  if (type == "string" && value.is_string()) return value.get<std::string>();
  if (type == "data_type") {
    const auto found = Find(kTypes, Json{{"type", value}}, "type");
    return found ? std::optional<Attribute>(TensorType(*found)) : std::nullopt;
  }
  if (type == "list_int") return ListOf<int64_t>(value, &Json::is_number_integer);
  if (type == "list_float") return ListOf<float>(value, &Json::is_number);
  if (type == "list_string") return ListOf<std::string>(value, &Json::is_string);
  return std::nullopt;
}

class Reader {
 public:
  Reader(SingleOp& op, ErrorReport& report) : op_(op), report_(report) {}

  bool Read(const Json& json, size_t index) {
    const auto type = json.is_object() ? json.find("op") : json.end();
    if (type == json.end() || !type->is_string() || type->get<std::string>().empty()) {
      report_.Add("E10026", {{"index", std::to_string(index)}});
      return false;
    }
    op_.type = type->get<std::string>();
    const auto name = json.find("name");
    if (name != json.end() && name->is_string()) op_.name = name->get<std::string>();
    return ReadTensors(json, "input_desc", op_.inputs) &&
           ReadTensors(json, "output_desc", op_.outputs) && ReadAttributes(json);
  }

 private:
  bool ReadTensors(const Json& json, const char* key, std::vector<SingleOpTensor>& tensors) {
    const Json list = json.value(key, Json::array());
    for (size_t i = 0; i < list.size(); ++i) {
      SingleOpTensor tensor;
      const std::string wrong = ReadTensor(list[i], tensor);
      if (!wrong.empty()) {
        report_.Add(
            "E10027",
            {{"op_name", op_.type}, {"tensor", StrCat(key, "[", i, "]")}, {"reason", wrong}});
        return false;
      }
      tensors.push_back(std::move(tensor));
    }
    return true;
  }

  bool ReadAttributes(const Json& json) {
    for (const Json& attr : json.value("attr", Json::array())) {
      const auto name = attr.is_object() ? attr.value("name", Json()) : Json();
      if (!name.is_string() || name.get<std::string>().empty()) {
        report_.Add("E10029", {{"op_name", op_.type}});
        return false;
      }
      const Json type = attr.value("type", Json());
      const auto value = type.is_string()
                             ? ReadAttribute(type.get<std::string>(), attr.value("value", Json()))
                             : std::nullopt;
      if (!value) {
        report_.Add("E10030", {{"op_name", op_.type}, {"attr_name", name.get<std::string>()}});
        return false;
      }
      op_.attributes[name.get<std::string>()] = *value;
    }
    return true;
  }

  SingleOp& op_;
  ErrorReport& report_;
};

void ReportBuild(const SingleOp& op, const Status& status, ErrorReport& report) {
  if (status.code() == Code::kUnsupported) {
    report.AddText("E10055", StrCat("operator '", op.type, "': ", status.message()));
  } else if (status.code() == Code::kNotFound) {
    report.Add("E10501", {{"opname", op.name.empty() ? op.type : op.name}, {"optype", op.type}});
  } else {
    report.Add("E13014", {{"value", op.type},
                          {"parameter", "--singleop"},
                          {"opname", op.name.empty() ? op.type : op.name},
                          {"reason", status.message()}});
  }
}

}  // namespace

bool ParseSingleOps(const std::string& path, const std::string& text, std::vector<SingleOp>& ops,
                    ErrorReport& report) {
  const Json root = Json::parse(text, nullptr, false);
  if (!root.is_array()) {
    report.Add("E10025",
               {{"realpath", path},
                {"errmsg", root.is_discarded() ? "it is not JSON" : "it must be a list"}});
    return false;
  }
  for (size_t i = 0; i < root.size(); ++i) {
    SingleOp op;
    if (!Reader(op, report).Read(root[i], i)) return false;
    ops.push_back(std::move(op));
  }
  return true;
}

bool RunSingleOps(const Arguments& arguments, const compiler::CompileOptions& options,
                  ErrorReport& report) {
  const std::string path = arguments.Get("singleop");
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  std::vector<SingleOp> ops;
  if (!ParseSingleOps(path, text.str(), ops, report)) return false;
  for (size_t i = 0; i < ops.size(); ++i) {
    auto graph = compiler::BuildSingleOp(ops[i]);
    if (!graph.ok()) {
      ReportBuild(ops[i], graph.status(), report);
      return false;
    }
    compiler::CompileOptions own = options;
    const std::string name = compiler::SingleOpFileName(ops[i], i);
    own.output_path = (std::filesystem::path(arguments.Get("output")) / (name + ".om")).string();
    compiler::CompileReport result;
    result.errors = report;
    const bool done = compiler::CompileGraph(**graph, own, result);
    report = result.errors;
    if (!done) return false;
  }
  return true;
}

}  // namespace cairn::atc
