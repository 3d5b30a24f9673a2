// SPDX-License-Identifier: Apache-2.0
// The grammar of --input_shape.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/error_report.h"

namespace cairn::atc {

/// One dimension: fixed (low == high), any (-1: low 0, high -1), or a range low~high.
struct InputDim {
  int64_t low;
  int64_t high;
  bool is_fixed() const { return low == high; }
  bool is_any() const { return high < 0; }
  bool is_range() const { return !is_fixed() && !is_any(); }
};

struct InputShape {
  std::string name;
  std::vector<InputDim> dims;
};

/// Reads `name:d0,d1,...;name2:...`: the last colon of an item ends the name, `name:` is a scalar,
/// a dimension is a positive integer, -1 or lo~hi (hi may be -1), brackets around the dimensions
/// and blanks around every token are allowed. Reports E10002, E10011, E10013, E10014; false then.
bool ParseInputShapes(std::string_view text, std::vector<InputShape>& shapes, ErrorReport& report);

/// `text` without blanks at both ends.
std::string_view Trim(std::string_view text);

/// The pieces of `text` between `separator`s, trimmed; one empty piece for an empty text.
std::vector<std::string_view> SplitTrimmed(std::string_view text, char separator);

/// The integer of decimal digits with an optional minus sign. E10013 when out of range, E10014 when
/// not a number, with the given parameter; false then.
bool ParseInteger(std::string_view text, std::string_view parameter, int64_t& value,
                  ErrorReport& report);

}  // namespace cairn::atc
