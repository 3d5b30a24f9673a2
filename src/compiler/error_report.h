// SPDX-License-Identifier: Apache-2.0
// Collects what went wrong in one compilation and prints it as one report.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "compiler/error_code.h"

namespace cairn {

/// The first error heads the report; later ones and details follow under "TraceBack".
class ErrorReport {
 public:
  /// Records an error of the public list. `code` must be in it.
  void Add(std::string_view code, ErrorArguments arguments);

  /// As Add with a text of the caller's own in place of the template.
  void AddText(std::string_view code, std::string_view message);

  /// One more line of the report, in the order of the calls.
  void AddDetail(std::string line) { details_.push_back(std::move(line)); }

  /// A text for the end of a successful run, said once.
  void AddWarning(std::string text);

  bool has_error() const { return !code_.empty(); }
  /// The code that heads the report; empty without an error.
  const std::string& code() const { return code_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  const std::vector<std::string>& details() const { return details_; }

  /// `[PID: n] time Title(code): message`, cause, solution, then the details under
  /// "TraceBack (most recent call last):", each line indented by 8. Empty without an error.
  std::string Text() const;

 private:
  std::string code_;
  std::string head_;
  std::vector<std::string> details_;
  std::vector<std::string> warnings_;
};

/// Records the failure of a stage after import. What the model contradicts or this device cannot do
/// is its user's matter; any other code is a defect of this software and says so.
void ReportStageFailure(std::string_view stage, const Status& status, ErrorReport& report);

}  // namespace cairn
