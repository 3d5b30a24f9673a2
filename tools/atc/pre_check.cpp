// SPDX-License-Identifier: Apache-2.0
// Where the check report lies, and when it is written.
#include "pre_check.h"

#include <cstdlib>

#include "base/atomic_file.h"
#include "base/log.h"
#include "checks.h"
#include "compiler/pre_check.h"
#include "conduct.h"

namespace cairn::atc {
namespace {

constexpr const char* kFileName = "check_result.json";

std::string ReportPath(const Arguments& arguments) {
  if (arguments.Given("check_report")) return arguments.Get("check_report");
  const char* folder = std::getenv("ASCEND_WORK_PATH");
  return folder == nullptr || *folder == '\0' ? kFileName : StrCat(folder, "/", kFileName);
}

Status WriteText(const std::string& path, const std::string& text) {
  ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  RETURN_IF_ERROR(file.Write(text));
  return file.Commit();
}

}  // namespace

bool RunPreCheck(const Arguments& arguments, ErrorReport& report) {
  if (!CheckPreCheckArguments(arguments, report) || !CheckSupported(arguments, report)) {
    return false;
  }
  compiler::CompileOptions options;
  options.model_path = arguments.Get("model");
  compiler::CompileReport result;
  std::string json;
  const bool good = compiler::PreCheckModel(options, result, json);
  report = result.errors;
  if (json.empty()) return false;
  const Status written = WriteText(ReportPath(arguments), json);
  if (!written.ok()) report.AddText("E13004", written.message());
  return good && written.ok();
}

void WriteCheckReport(const Arguments& arguments, const compiler::CompileOptions& options) {
  compiler::CompileReport ignored;
  std::string json;
  compiler::PreCheckModel(options, ignored, json);
  const Status written = json.empty() ? OkStatus() : WriteText(ReportPath(arguments), json);
  if (!written.ok()) CAIRN_LOG(kGe, kWarning, "check report: ", written.message());
}

}  // namespace cairn::atc
