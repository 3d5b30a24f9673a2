// SPDX-License-Identifier: Apache-2.0
// JSON of a compilation, and its page around the compiled program.
#include "compile_report.h"

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "executable/om_reader.h"
#include "report/html_report.h"

namespace cairn::atc {
namespace {

using Json = nlohmann::ordered_json;

Json PassesJson(const std::vector<PassRecord>& passes) {
  Json json = Json::array();
  for (const PassRecord& pass : passes)
    json.push_back({{"name", pass.name},
                    {"enabled", pass.enabled},
                    {"changes", pass.changes},
                    {"milliseconds", pass.milliseconds}});
  return json;
}

Json NodesJson(const plan::PlanReport& plan) {
  Json json = Json::array();
  for (const plan::NodeMapping& node : plan.mappings)
    json.push_back({{"node", node.node},
                    {"op", node.op},
                    {"kernel", node.kernel},
                    {"algorithm", node.algorithm},
                    {"candidates", node.candidates}});
  return json;
}

Json CompileJson(const compiler::CompileOptions& options, const compiler::CompileReport& result) {
  const plan::PlanReport& plan = result.plan;
  Json conversions = Json::array();
  for (const plan::Conversion& conversion : plan.conversions)
    conversions.push_back(
        {{"edge", conversion.edge}, {"reason", conversion.reason}, {"bytes", conversion.bytes}});
  return {{"model", options.model_path},
          {"target", options.target.name},
          {"tuned", options.plan.tune},
          {"passes", PassesJson(result.passes)},
          {"conversions", conversions},
          {"nodes", NodesJson(plan)},
          {"reference_nodes", plan.reference_nodes},
          {"vector_tasks", plan.num_vector_tasks},
          {"reference_tasks", plan.num_reference_tasks},
          {"arena_bytes", plan.arena_bytes},
          {"arena_lower_bound", plan.arena_lower_bound},
          {"constant_bytes", plan.constant_bytes},
          {"packed_bytes", plan.packed_bytes}};
}

Result<std::string> Page(const compiler::CompileOptions& options, const Json& compile) {
  ASSIGN_OR_RETURN(OmFile om, OmFile::Map(options.output_path));
  ASSIGN_OR_RETURN(const ProgramImage image, om.Image());
  ASSIGN_OR_RETURN(const Program program, ReadProgram(image.program));
  return report::HtmlReportOfProgram(report::ProfileOfProgram(program),
                                     StrCat("Compilation of ", program.model_name), compile);
}

}  // namespace

Status WriteCompileReport(const std::string& path, const compiler::CompileOptions& options,
                          const compiler::CompileReport& result) {
  const Json compile = CompileJson(options, result);
  std::string text;
  if (path.ends_with(".json")) {
    text = compile.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  } else if (path.ends_with(".html")) {
    ASSIGN_OR_RETURN(text, Page(options, compile));
  } else {
    return Status(Code::kInvalidArgument,
                  StrCat("--report: '", path, "' ends neither in .json nor in .html"));
  }
  ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  RETURN_IF_ERROR(file.Write(text));
  return file.Commit();
}

}  // namespace cairn::atc
