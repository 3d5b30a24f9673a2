// SPDX-License-Identifier: Apache-2.0
// A table on disk: cells with quoting, slices of a million rows.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace cairn::report {

/// Microseconds with three decimals.
std::string Us(double us);
/// A point in time in microseconds; ends with a tab, so that spreadsheets keep all digits.
std::string TimeCell(int64_t ns);
/// A number with `decimals` decimals.
std::string Fixed(double value, int decimals);

class CsvFile {
 public:
  /// `name` without time stamp and extension, e.g. "op_summary".
  CsvFile(std::string folder, std::string name, std::string stamp, std::vector<std::string> header);

  /// Quotes cells that need it, except those that begin with a quote.
  void Add(const std::vector<std::string>& cells);
  bool empty() const { return rows_.empty(); }

  /// Writes "<name>_<stamp>.csv", or "<name>_slice_<n>_<stamp>.csv" when there are more than a
  /// million rows. Writes nothing without rows.
  Status Write() const;

 private:
  std::string folder_, name_, stamp_, header_;
  std::vector<std::string> rows_;
};

}  // namespace cairn::report
