// SPDX-License-Identifier: Apache-2.0
// The report for terminals: 80 columns, no colours.
#pragma once

#include <string>

#include "report/profile.h"

namespace cairn::report {

/// Header, diagnosis, time by operator type, most expensive tasks, advice.
std::string TextReport(const Profile& profile);

/// Times by operator type of `profile` beside those of `before`, and how many times faster it is.
std::string TextComparison(const Profile& profile, const Profile& before);

/// A compiled program: its tasks by arithmetic, layout conversions with reasons, fused operators.
/// `profile` is made by ProfileOfProgram.
std::string TextReportOfProgram(const Profile& profile, const Program& program);

}  // namespace cairn::report
