// SPDX-License-Identifier: Apache-2.0
// The report of a folder.
#include <cstdio>

#include "msprof/export.h"
#include "report/profile.h"
#include "report/text_report.h"

namespace msprof {

using cairn::OkStatus;
using cairn::Status;

Status Report(const std::string& folder, const std::string&, const std::string&) {
  ASSIGN_OR_RETURN(const cairn::report::Profile profile, cairn::report::LoadProfile(folder));
  std::printf("%s", cairn::report::TextReport(profile).c_str());
  return OkStatus();
}

}  // namespace msprof
