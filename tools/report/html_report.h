// SPDX-License-Identifier: Apache-2.0
// The report as one self-contained page, for browsers without a network.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/profile.h"

namespace cairn::report {

/// The page without its data; made at build time from web/.
extern const char kReportPage[];

/// `profile` as a page; `before` is the profile to compare with, or null.
std::string HtmlReport(const Profile& profile, const Profile* before);

/// A compiled program without times: `profile` made by ProfileOfProgram. `compile`: passes and
/// kernel choices of its compilation as `atc --report` writes them, or null.
std::string HtmlReportOfProgram(const Profile& profile, const std::string& title,
                                const nlohmann::ordered_json& compile = nullptr);

/// Every task of `program` once, without times.
Profile ProfileOfProgram(const Program& program);

}  // namespace cairn::report
