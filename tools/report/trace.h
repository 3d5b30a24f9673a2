// SPDX-License-Identifier: Apache-2.0
// The timeline of a profile as Chrome trace events.
#pragma once

#include <string>

#include "report/profile.h"

namespace cairn::report {

/// The events as one JSON array: calls of the host by thread, tasks by stream, parts by core, marks
/// by thread, and an arrow from each launch to the first task of its run.
std::string TraceJson(const Profile& profile);

}  // namespace cairn::report
