// SPDX-License-Identifier: Apache-2.0
// JSON of a ModelDef by reflection over its fields.
#include <google/protobuf/stubs/strutil.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "modeldef/cairn_ge.pb.h"
#include "modeldef/model_def.h"
#include "modeldef/parse.h"

namespace cairn::modeldef {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using Json = nlohmann::ordered_json;

constexpr int kMaxDepth = 20;

// Fields that the public JSON leaves out everywhere.
bool IsLeftOut(const std::string& name) {
  static const std::vector<std::string> kNames = {
      "output",      "data_offset", "data", "workspace", "workspace_bytes",
      "memory_size", "weight_size", "size", "bt",        "quantize_factor"};
  return std::ranges::find(kNames, name) != kNames.end();
}

std::string FloatText(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", value);
  return text;
}

Json MessageToJson(const Message& message, int depth);

// One element of a repeated field, or the singular value (index < 0).
Json FieldToJson(const Message& message, const FieldDescriptor& field, int index, int depth) {
  const Reflection& reflection = *message.GetReflection();
  const bool one = index < 0;
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT64:
      return one ? reflection.GetInt64(message, &field)
                 : reflection.GetRepeatedInt64(message, &field, index);
    case FieldDescriptor::CPPTYPE_UINT32:
      return reflection.GetUInt32(message, &field);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return FloatText(one ? reflection.GetFloat(message, &field)
                           : reflection.GetRepeatedFloat(message, &field, index));
    case FieldDescriptor::CPPTYPE_BOOL:
      return one ? reflection.GetBool(message, &field)
                 : reflection.GetRepeatedBool(message, &field, index);
    case FieldDescriptor::CPPTYPE_ENUM:
      return (one ? reflection.GetEnum(message, &field)
                  : reflection.GetRepeatedEnum(message, &field, index))
          ->name();
    case FieldDescriptor::CPPTYPE_STRING: {
      const std::string text = one ? reflection.GetString(message, &field)
                                   : reflection.GetRepeatedString(message, &field, index);
      return field.type() == FieldDescriptor::TYPE_BYTES ? google::protobuf::CEscape(text) : text;
    }
    default:
      return MessageToJson(one ? reflection.GetMessage(message, &field)
                               : reflection.GetRepeatedMessage(message, &field, index),
                           depth + 1);
  }
}

Json RepeatedToJson(const Message& message, const FieldDescriptor& field, int depth) {
  std::vector<Json> items;
  const int count = message.GetReflection()->FieldSize(message, &field);
  for (int i = 0; i < count; ++i) items.push_back(FieldToJson(message, field, i, depth));
  if (field.is_map()) {
    const auto by_key = [](const Json& a, const Json& b) { return a["key"] < b["key"]; };
    std::sort(items.begin(), items.end(), by_key);
  }
  return items;
}

Json MessageToJson(const Message& message, int depth) {
  Json object = Json::object();
  if (depth > kMaxDepth) return object;
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (IsLeftOut(field->name())) continue;
    object[field->name()] = field->is_repeated() ? RepeatedToJson(message, *field, depth)
                                                 : FieldToJson(message, *field, -1, depth);
  }
  return object;
}

}  // namespace

Result<std::string> ModelDefToJson(std::span<const std::byte> model_def) {
  ge::ModelDef model;
  RETURN_IF_ERROR(ParseModelDef(model_def, model));
  const auto lenient = Json::error_handler_t::replace;
  return MessageToJson(model, 0).dump(4, ' ', false, lenient) + "\n";
}

}  // namespace cairn::modeldef
