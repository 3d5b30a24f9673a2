// SPDX-License-Identifier: Apache-2.0
// JSON of any protobuf message by reflection over its fields.
#pragma once

#include <google/protobuf/message.h>

#include <string>

namespace cairn::modeldef {

struct JsonStyle {
  bool enum_names = true;      ///< Else their numbers.
  bool leave_out_data = true;  ///< Without contents, sizes and offsets of weights and memory.
};

/// Field names as keys, only fields that are set, maps as sorted key/value lists, floats as "%g"
/// text, bytes escaped as in C; pretty printed. What lies deeper than 20 messages is cut.
std::string MessageToJson(const google::protobuf::Message& message, const JsonStyle& style);

}  // namespace cairn::modeldef
