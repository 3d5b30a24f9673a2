// SPDX-License-Identifier: Apache-2.0
// The report of a folder.
#include <cstdio>

#include "base/atomic_file.h"
#include "msprof/export.h"
#include "report/html_report.h"
#include "report/profile.h"
#include "report/text_report.h"

namespace msprof {

using cairn::AtomicFile;
using cairn::OkStatus;
using cairn::Status;
using cairn::StrCat;
using cairn::report::Profile;

Status Report(const std::string& folder, const std::string& form, const std::string& compared) {
  ASSIGN_OR_RETURN(const Profile profile, cairn::report::LoadProfile(folder));
  Profile before;
  const bool has_before = !compared.empty();
  if (has_before) {
    const auto folders = cairn::profile::FindProfileFolders(compared);
    if (folders.size() != 1)
      return Status(cairn::Code::kNotFound,
                    StrCat("--compare: ", compared, " holds ", folders.size(),
                           " profile folders, expected one"));
    ASSIGN_OR_RETURN(before, cairn::report::LoadProfile(folders[0]));
  }
  if (form != "html") {
    std::printf("%s", cairn::report::TextReport(profile).c_str());
    if (has_before) std::printf("\n%s", cairn::report::TextComparison(profile, before).c_str());
    return OkStatus();
  }
  const std::string path = folder + "/report.html";
  ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  RETURN_IF_ERROR(file.Write(cairn::report::HtmlReport(profile, has_before ? &before : nullptr)));
  RETURN_IF_ERROR(file.Commit());
  std::printf("[INFO] Report written to %s\n", path.c_str());
  return OkStatus();
}

}  // namespace msprof
