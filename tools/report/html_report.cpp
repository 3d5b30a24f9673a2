// SPDX-License-Identifier: Apache-2.0
// The page with its data.
#include "report/html_report.h"

#include <algorithm>

#include "report/report_data.h"

namespace cairn::report {
namespace {

std::string Page(const Json& data) {
  std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  // Nothing in the data ends the script element that holds it.
  for (size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3)
    text.replace(at, 2, "<\\/");
  std::string page = kReportPage;
  const std::string_view mark = "@@DATA@@";
  return page.replace(page.find(mark), mark.size(), text);
}

}  // namespace

std::string HtmlReport(const Profile& profile, const Profile* before) {
  const std::string model = !profile.runs.empty() && profile.runs[0].program != nullptr
                                ? profile.runs[0].program->model_name
                                : "no model";
  Json data = ReportData(profile, StrCat("Profile of ", model));
  if (before != nullptr) data["compare"] = ComparisonData(profile, *before);
  return Page(data);
}

std::string HtmlReportOfProgram(const Profile& profile, const std::string& title,
                                const nlohmann::ordered_json& compile) {
  Json data = ReportData(profile, title);
  if (!compile.is_null()) data["compile"] = compile;
  return Page(data);
}

Profile ProfileOfProgram(const Program& program) {
  Profile profile;
  for (size_t i = 0; i < program.tasks.size(); ++i) {
    TaskStats stats;
    stats.program = &program;
    stats.task = &program.tasks[i];
    stats.index = static_cast<uint32_t>(i);
    stats.cores = std::min(program.tasks[i].max_parts, program.planned_cores);
    profile.tasks.push_back(stats);
  }
  std::stable_sort(
      profile.tasks.begin(), profile.tasks.end(),
      [](const TaskStats& a, const TaskStats& b) { return a.task->flops > b.task->flops; });
  return profile;
}

}  // namespace cairn::report
