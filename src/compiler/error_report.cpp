// SPDX-License-Identifier: Apache-2.0
// Layout of the error report.
#include "compiler/error_report.h"

#include <unistd.h>

#include <algorithm>

#include "base/check.h"
#include "base/log.h"
#include "base/strings.h"

namespace cairn {
namespace {

// Every line of `text` indented by eight columns.
void AppendIndented(std::string_view text, std::string& out) {
  while (true) {
    const size_t end = text.find('\n');
    out.append("        ").append(text.substr(0, end)).append("\n");
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

void ErrorReport::Add(std::string_view code, ErrorArguments arguments) {
  const ErrorCode* entry = FindErrorCode(code);
  CAIRN_CHECK(entry != nullptr, "the error code is not in the table");
  AddText(code, FormatError(*entry, arguments));
}

void ErrorReport::AddText(std::string_view code, std::string_view message) {
  const ErrorCode* entry = FindErrorCode(code);
  CAIRN_CHECK(entry != nullptr, "the error code is not in the table");
  if (has_error()) {
    AddDetail(StrCat(entry->title, "(", code, "): ", message));
    return;
  }
  code_ = code;
  head_ = StrCat("[PID: ", getpid(), "] ", LogTimeStamp(), " ", entry->title, "(", code,
                 "): ", message, "\n");
  if (!entry->cause.empty()) AppendIndented(StrCat("Possible Cause: ", entry->cause), head_);
  if (!entry->solution.empty()) AppendIndented(StrCat("Solution: ", entry->solution), head_);
}

std::string ErrorReport::Text() const {
  std::string text = head_;
  if (!has_error() || details_.empty()) return text;
  text.append("TraceBack (most recent call last):\n");
  for (const std::string& detail : details_) AppendIndented(detail, text);
  return text;
}

void ErrorReport::AddWarning(std::string text) {
  if (std::ranges::find(warnings_, text) == warnings_.end()) warnings_.push_back(std::move(text));
}

void ReportStageFailure(std::string_view stage, const Status& status, ErrorReport& report) {
  switch (status.code()) {
    case Code::kUnsupported:
      return report.AddText("E10055", status.message());
    case Code::kInvalidModel:
      return report.Add("E16001", {{"value", status.message()}});
    case Code::kOutOfMemory:
    case Code::kIoError:
      return report.Add("E10059", {{"stage", stage}, {"reason", status.message()}});
    default:
      return report.AddText("E19999", StrCat(stage, ": ", status.ToString()));
  }
}

}  // namespace cairn
