// SPDX-License-Identifier: Apache-2.0
// cairn-report: the report of a recorded profile or of an offline model.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/atomic_file.h"
#include "executable/om_reader.h"
#include "report/html_report.h"
#include "report/text_report.h"

namespace {

using namespace cairn;  // NOLINT: a program, not a header

struct Arguments {
  std::string subject, html, compare;
};

Status Emit(const Arguments& args, const std::string& text, const std::string& page) {
  if (args.html.empty()) {
    std::printf("%s", text.c_str());
    return OkStatus();
  }
  ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(args.html));
  RETURN_IF_ERROR(file.Write(page));
  return file.Commit();
}

Status ReportModel(const Arguments& args) {
  ASSIGN_OR_RETURN(OmFile om, OmFile::Map(args.subject));
  ASSIGN_OR_RETURN(const ProgramImage image, om.Image());
  ASSIGN_OR_RETURN(const Program program, ReadProgram(image.program));
  const report::Profile profile = report::ProfileOfProgram(program);
  return Emit(args, report::TextReportOfProgram(profile, program),
              report::HtmlReportOfProgram(profile, StrCat("Model ", program.model_name)));
}

Result<report::Profile> LoadOne(const std::string& path) {
  const auto folders = profile::FindProfileFolders(path);
  if (folders.empty())
    return Status(
        Code::kNotFound,
        StrCat(path, ": is neither a model (.om) nor a folder PROF_... nor one that holds it"));
  if (folders.size() != 1)
    return Status(Code::kNotFound,
                  StrCat(path, ": holds ", folders.size(), " profile folders, expected one"));
  return report::LoadProfile(folders[0]);
}

Status ReportProfile(const Arguments& args) {
  ASSIGN_OR_RETURN(const report::Profile profile, LoadOne(args.subject));
  for (const std::string& warning : profile.raw.warnings)
    std::fprintf(stderr, "warning: %s\n", warning.c_str());
  report::Profile before;
  if (!args.compare.empty()) {
    ASSIGN_OR_RETURN(before, LoadOne(args.compare));
  }
  std::string text = report::TextReport(profile);
  if (!args.compare.empty()) text += "\n" + report::TextComparison(profile, before);
  return Emit(args, text, report::HtmlReport(profile, args.compare.empty() ? nullptr : &before));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Shows where the time of a profile goes, or what an offline model consists of.",
               "cairn-report");
  Arguments args;
  app.add_option("subject", args.subject, "folder PROF_... or one that holds it, or model.om")
      ->required();
  app.add_option("--html", args.html, "write one self-contained page instead of text");
  app.add_option("--compare", args.compare, "an earlier profile to show beside this one");
  CLI11_PARSE(app, argc, argv);
  const bool is_model =
      args.subject.size() > 3 && args.subject.compare(args.subject.size() - 3, 3, ".om") == 0;
  const Status status = is_model ? ReportModel(args) : ReportProfile(args);
  if (status.ok()) return 0;
  std::fprintf(stderr, "cairn-report: %s\n", status.message().c_str());
  return 1;
}
