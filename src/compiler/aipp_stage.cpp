// SPDX-License-Identifier: Apache-2.0
// Reads, checks, inserts.
#include "compiler/aipp_stage.h"

#include <fstream>
#include <sstream>

#include "frontend/aipp/config.h"
#include "frontend/aipp/insert.h"

namespace cairn::compiler {
namespace {

void ReportFailure(const std::string& path, const Status& status, ErrorReport& errors) {
  const std::string reason = StrCat(path, ": ", status.message());
  if (status.code() == Code::kDataCorrupt)
    errors.Add("E13018", {{"file", path}, {"errmsg", status.message()}});
  else
    errors.Add("E10052", {{"reason", reason}});
}

}  // namespace

bool AippStage(const CompileOptions& options, Graph& graph, CompileReport& report) {
  const std::string& path = options.aipp_config_path;
  if (path.empty()) return true;
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) {
    report.errors.Add("E13001", {{"file", path}, {"errmsg", "it cannot be read"}});
    return false;
  }
  const auto ops = aipp::ParseAippConfig(text.str());
  if (!ops.ok()) {
    ReportFailure(path, ops.status(), report.errors);
    return false;
  }
  report.aipp.clear();
  const bool channels_last = options.input_format == "NHWC";
  const Status inserted = aipp::InsertAipp(*ops, channels_last, graph, report.aipp);
  if (!inserted.ok()) ReportFailure(path, inserted, report.errors);
  return inserted.ok();
}

}  // namespace cairn::compiler
