// SPDX-License-Identifier: Apache-2.0
// The CSV tables of a profile, with the public file names, columns and units.
#pragma once

#include <string>

#include "report/profile.h"

namespace cairn::report {

/// Writes every table that has rows into `folder`; `stamp` is the time of the export.
Status WriteTables(const Profile& profile, const std::string& folder, const std::string& stamp);

// The tables, one function each.
Status WriteOpSummary(const Profile& profile, const std::string& folder, const std::string& stamp);
Status WriteOpStatistic(const Profile& profile, const std::string& folder,
                        const std::string& stamp);
Status WriteTaskTime(const Profile& profile, const std::string& folder, const std::string& stamp);
Status WriteApiStatistic(const Profile& profile, const std::string& folder,
                         const std::string& stamp);
Status WriteStepTrace(const Profile& profile, const std::string& folder, const std::string& stamp);
Status WriteFusionOps(const Profile& profile, const std::string& folder, const std::string& stamp);
Status WriteMemory(const Profile& profile, const std::string& folder, const std::string& stamp);
Status WriteStaticMemory(const Profile& profile, const std::string& folder,
                         const std::string& stamp);
Status WriteMarks(const Profile& profile, const std::string& folder, const std::string& stamp);

}  // namespace cairn::report
