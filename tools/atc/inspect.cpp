// SPDX-License-Identifier: Apache-2.0
// Reads the model definition of an offline model and shows it.
#include "inspect.h"

#include <cstdio>
#include <fstream>
#include <sstream>

#include "base/atomic_file.h"
#include "checks.h"
#include "compiler/import_stage.h"
#include "compiler/original_model.h"
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

bool RequireJsonPaths(const Arguments& arguments, ErrorReport& report) {
  return RequireOption(arguments, "om", report) && RequireOption(arguments, "json", report);
}

bool CheckJsonPaths(const Arguments& arguments, ErrorReport& report) {
  return CheckInputFile(arguments.Get("om"), "E13026", "pathname", report) &&
         CheckOutputFile(arguments.Get("json"), "json", report);
}

bool WriteJson(const Arguments& arguments, const std::string& json, ErrorReport& report) {
  const Status status = WriteText(arguments.Get("json"), json);
  if (!status.ok()) report.AddText("E13004", status.message());
  return status.ok();
}

// The graph with inferred shapes, in the form of an offline model's definition.
Result<std::string> InferredToJson(const std::string& path, ErrorReport& report) {
  compiler::CompileReport import;
  const auto model = onnx::ImportOnnxFile(path, {}, &import.unsupported);
  if (model.ok()) return modeldef::GraphToJson(*model->graph);
  compiler::ReportImport(model.status(), import);
  report = import.errors;
  return model.status();
}

// --mode=1 with --framework: `--om` names an original model.
bool OriginalToJson(const Arguments& arguments, ErrorReport& report) {
  if (arguments.GetInt("framework") == 1) {
    report.Add("E10001", {{"value", "1"},
                          {"parameter", "--framework"},
                          {"reason", "MindSpore models have no JSON form; use --mode=0"}});
    return false;
  }
  if (!CheckSupported(arguments, report) || !CheckJsonPaths(arguments, report)) return false;
  const std::string path = arguments.Get("om");
  const auto json = arguments.GetInt("dump_mode") == 1 ? InferredToJson(path, report)
                                                       : compiler::OnnxToJson(path);
  if (json.ok()) return WriteJson(arguments, *json, report);
  return report.has_error() ? false : CannotLoad(json.status(), report);
}

}  // namespace

bool RunToJson(const Arguments& arguments, ErrorReport& report) {
  if (!RequireJsonPaths(arguments, report)) return false;
  if (arguments.Given("framework")) return OriginalToJson(arguments, report);
  if (!CheckSupported(arguments, report) || !CheckJsonPaths(arguments, report)) return false;
  const auto om = OmFile::MapForViewing(arguments.Get("om"));
  if (!om.ok()) return CannotLoad(om.status(), report);
  const auto json = modeldef::ModelDefToJson(om->partition(OmPartition::kModelDef));
  if (!json.ok()) return CannotLoad(json.status(), report);
  return WriteJson(arguments, *json, report);
}

bool RunTextToJson(const Arguments& arguments, ErrorReport& report) {
  if (!RequireJsonPaths(arguments, report)) return false;
  const std::string path = arguments.Get("om");
  if (!path.ends_with(".txt")) {
    report.Add("E10001", {{"value", path},
                          {"parameter", "--om"},
                          {"reason", "with --mode=5 it must be a file that ends in .txt"}});
    return false;
  }
  if (!CheckSupported(arguments, report) || !CheckJsonPaths(arguments, report)) return false;
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  const auto json = modeldef::ModelTextToJson(text.str());
  if (!json.ok()) return CannotLoad(json.status(), report);
  return WriteJson(arguments, *json, report);
}

bool RunDisplay(const Arguments& arguments, ErrorReport& report) {
  if (!RequireOption(arguments, "om", report)) return false;
  if (arguments.Given("framework")) {
    report.Add("E10057", {{"parameter0", "--mode=6"}, {"parameter1", "--framework"}});
    return false;
  }
  if (!CheckInputFile(arguments.Get("om"), "E13026", "pathname", report)) return false;
  const auto om = OmFile::MapForViewing(arguments.Get("om"));
  if (!om.ok()) return CannotLoad(om.status(), report);
  const auto summary = modeldef::ModelSummary(om->partition(OmPartition::kModelDef));
  if (!summary.ok()) return CannotLoad(summary.status(), report);
  std::fputs(summary->c_str(), stdout);
  return true;
}

}  // namespace cairn::atc
