// SPDX-License-Identifier: Apache-2.0
// Walks the fields of a message.
#include "modeldef/message_json.h"

#include <google/protobuf/stubs/strutil.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

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

class Writer {
 public:
  explicit Writer(const JsonStyle& style) : style_(style) {}

  Json MessageToJson(const Message& message, int depth) const {
    Json object = Json::object();
    if (depth > kMaxDepth) return object;
    std::vector<const FieldDescriptor*> fields;
    message.GetReflection()->ListFields(message, &fields);
    for (const FieldDescriptor* field : fields) {
      if (style_.leave_out_data && IsLeftOut(field->name())) continue;
      object[field->name()] = field->is_repeated() ? RepeatedToJson(message, *field, depth)
                                                   : FieldToJson(message, *field, -1, depth);
    }
    return object;
  }

 private:
  // One element of a repeated field, or the singular value (index < 0).
  Json FieldToJson(const Message& message, const FieldDescriptor& field, int index,
                   int depth) const {
    const Reflection& reflection = *message.GetReflection();
    const bool one = index < 0;
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT64:
        return one ? reflection.GetInt64(message, &field)
                   : reflection.GetRepeatedInt64(message, &field, index);
      case FieldDescriptor::CPPTYPE_INT32:
        return one ? reflection.GetInt32(message, &field)
                   : reflection.GetRepeatedInt32(message, &field, index);
      case FieldDescriptor::CPPTYPE_UINT32:
        return one ? reflection.GetUInt32(message, &field)
                   : reflection.GetRepeatedUInt32(message, &field, index);
      case FieldDescriptor::CPPTYPE_UINT64:
        return one ? reflection.GetUInt64(message, &field)
                   : reflection.GetRepeatedUInt64(message, &field, index);
      case FieldDescriptor::CPPTYPE_DOUBLE:
        return FloatText(one ? reflection.GetDouble(message, &field)
                             : reflection.GetRepeatedDouble(message, &field, index));
      case FieldDescriptor::CPPTYPE_FLOAT:
        return FloatText(one ? reflection.GetFloat(message, &field)
                             : reflection.GetRepeatedFloat(message, &field, index));
      case FieldDescriptor::CPPTYPE_BOOL:
        return one ? reflection.GetBool(message, &field)
                   : reflection.GetRepeatedBool(message, &field, index);
      case FieldDescriptor::CPPTYPE_ENUM:
        return EnumToJson(one ? *reflection.GetEnum(message, &field)
                              : *reflection.GetRepeatedEnum(message, &field, index));
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

  Json RepeatedToJson(const Message& message, const FieldDescriptor& field, int depth) const {
    std::vector<Json> items;
    const int count = message.GetReflection()->FieldSize(message, &field);
    for (int i = 0; i < count; ++i) items.push_back(FieldToJson(message, field, i, depth));
    if (field.is_map()) {
      const auto by_key = [](const Json& a, const Json& b) { return a["key"] < b["key"]; };
      std::sort(items.begin(), items.end(), by_key);
    }
    return items;
  }

  Json EnumToJson(const google::protobuf::EnumValueDescriptor& value) const {
    if (style_.enum_names) return value.name();
    return value.number();
  }

  const JsonStyle& style_;
};

}  // namespace

std::string MessageToJson(const Message& message, const JsonStyle& style) {
  const auto lenient = Json::error_handler_t::replace;
  return Writer(style).MessageToJson(message, 0).dump(4, ' ', false, lenient) + "\n";
}

}  // namespace cairn::modeldef
