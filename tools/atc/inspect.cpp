// SPDX-License-Identifier: Apache-2.0
// Reads the model definition of an offline model and shows it.
#include "inspect.h"

#include <cstdio>

#include "base/atomic_file.h"
#include "checks.h"
#include "conduct.h"
#include "executable/om_reader.h"
#include "modeldef/model_def.h"

namespace cairn::atc {
namespace {

bool RequireOption(const Arguments& arguments, std::string_view option, ErrorReport& report) {
  if (!arguments.Get(option).empty()) return true;
  report.Add("E10004", {{"parameter", option}});
  return false;
}

bool CannotLoad(const Status& status, ErrorReport& report) {
  report.Add("E10041", {{"parameter", "om"}});
  report.AddDetail(status.message());
  return false;
}

Status WriteText(const std::string& path, const std::string& text) {
  ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  RETURN_IF_ERROR(file.Write(text));
  return file.Commit();
}

}  // namespace

bool RunToJson(const Arguments& arguments, ErrorReport& report) {
  if (!RequireOption(arguments, "om", report) || !RequireOption(arguments, "json", report)) {
    return false;
  }
  if (arguments.Given("framework")) {
    report.Add("E10055", {{"reason",
                           "--mode=1 with --framework (JSON of an original model) is not "
                           "supported yet"}});
    return false;
  }
  if (!CheckSupported(arguments, report) ||
      !CheckInputFile(arguments.Get("om"), "E13026", "pathname", report) ||
      !CheckOutputFile(arguments.Get("json"), "json", report)) {
    return false;
  }
  const auto om = OmFile::Map(arguments.Get("om"));
  if (!om.ok()) return CannotLoad(om.status(), report);
  const auto json = modeldef::ModelDefToJson(om->partition(OmPartition::kModelDef));
  if (!json.ok()) return CannotLoad(json.status(), report);
  const Status status = WriteText(arguments.Get("json"), *json);
  if (!status.ok()) report.AddText("E13004", status.message());
  return status.ok();
}

bool RunDisplay(const Arguments& arguments, ErrorReport& report) {
  if (!RequireOption(arguments, "om", report)) return false;
  if (arguments.Given("framework")) {
    report.Add("E10057", {{"parameter0", "--mode=6"}, {"parameter1", "--framework"}});
    return false;
  }
  if (!CheckInputFile(arguments.Get("om"), "E13026", "pathname", report)) return false;
  const auto om = OmFile::Map(arguments.Get("om"));
  if (!om.ok()) return CannotLoad(om.status(), report);
  const auto summary = modeldef::ModelSummary(om->partition(OmPartition::kModelDef));
  if (!summary.ok()) return CannotLoad(summary.status(), report);
  std::fputs(summary->c_str(), stdout);
  return true;
}

}  // namespace cairn::atc
