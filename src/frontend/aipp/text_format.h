// SPDX-License-Identifier: Apache-2.0
// The text form of protobuf messages as trees of fields that know their lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace cairn::aipp {

struct TextField {
  std::string name;
  int line = 0;
  std::string value;               ///< Of a scalar; a string without its quotes.
  bool is_message = false;
  std::vector<TextField> fields;   ///< Of a message, in file order.
};

/// Parses "key: value", "key { ... }", lists "[a, b]" (one field per element), "#" comments and
/// separators. kInvalidArgument with "line N: ...".
Result<std::vector<TextField>> ParseTextFormat(std::string_view text);

}  // namespace cairn::aipp
