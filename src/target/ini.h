// SPDX-License-Identifier: Apache-2.0
// Reader of device description files.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/status.h"

namespace cairn::target {

/// `[Section]` and `key=value` lines; `;` and `#` open comments. Section and key names are folded:
/// case and underscores do not matter, so `aiCoreCnt` and `ai_core_cnt` are one key.
class Ini {
 public:
  /// An error names the line.
  static Result<Ini> Parse(std::string_view text);

  /// The value; empty when the key is absent or has none.
  std::string Get(std::string_view section, std::string_view key) const;
  /// The value as a decimal number or a fraction `a/b`; `fallback` when absent or empty.
  Result<double> GetNumber(std::string_view section, std::string_view key, double fallback) const;

 private:
  std::map<std::string, std::string> values_;  // "section/key", folded.
};

}  // namespace cairn::target
