// SPDX-License-Identifier: Apache-2.0
// The data of the page, as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/profile.h"

namespace cairn::report {

using Json = nlohmann::ordered_json;

/// Everything the page shows of `profile`; tasks are sorted most expensive first.
Json ReportData(const Profile& profile, const std::string& title);

/// Times by operator type beside those of `before`.
Json ComparisonData(const Profile& profile, const Profile& before);

// Parts of ReportData.
Json TimelineData(const Profile& profile);
Json ArenaData(const Program& program);
Json EdgeData(const Program& program);
Json UnfusedData(const Program& program);

/// What to do about a layout conversion or transpose.
std::string RemedyOf(const Task& task);

}  // namespace cairn::report
