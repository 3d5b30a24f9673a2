// SPDX-License-Identifier: Apache-2.0
// Splits a command line into option values, with the conduct of getopt_long.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/error_report.h"
#include "option.h"

namespace cairn::atc {

/// The options of one command line; booleans are "true" or "false".
class Arguments {
 public:
  bool Given(std::string_view name) const { return values_.contains(name); }
  /// The last value given, else the default of the table. `name` must be in the table.
  std::string Get(std::string_view name) const;
  bool GetBool(std::string_view name) const { return Get(name) == "true"; }
  int GetInt(std::string_view name) const;
  void Set(std::string_view name, std::string value) {
    values_.insert_or_assign(std::string(name), std::move(value));
  }

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

/// Reads `words` (without the program name). Accepted: --name=value, --name value, --name for
/// booleans; one dash before two or more letters; dashes inside names; unambiguous prefixes of
/// names. The last of repeated options wins. On failure returns false, with either a line for
/// stderr in `complaint` or an error in `report`.
bool ParseArguments(std::span<const std::string> words, Arguments& arguments,
                    std::string& complaint, ErrorReport& report);

}  // namespace cairn::atc
