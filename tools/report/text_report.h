// SPDX-License-Identifier: Apache-2.0
// The report for terminals: 80 columns, no colours.
#pragma once

#include <string>

#include "report/profile.h"

namespace cairn::report {

/// Header, diagnosis, time by operator type, most expensive tasks, advice.
std::string TextReport(const Profile& profile);

}  // namespace cairn::report
