// SPDX-License-Identifier: Apache-2.0
// The public error codes (E10001 ...): title, message template, likely cause and remedy of each.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace cairn {

/// One code of the public list. `text` names its arguments in braces: "Value {value} ...".
struct ErrorCode {
  std::string_view code;
  std::string_view title;
  std::string_view text;
  std::string_view cause;     ///< Empty: the report has no such line.
  std::string_view solution;  ///< Empty: the report has no such line.
};

using ErrorArguments = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// All codes, in ascending order.
std::span<const ErrorCode> ErrorCodes();

/// The entry of `code`; nullptr when there is none.
const ErrorCode* FindErrorCode(std::string_view code);

/// The text of `code` with its arguments filled in; arguments without a value stay empty.
std::string FormatError(const ErrorCode& code, ErrorArguments arguments);

}  // namespace cairn
