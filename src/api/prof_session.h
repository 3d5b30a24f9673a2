// SPDX-License-Identifier: Apache-2.0
// The recording that the environment or acl.json asks for, and the one of the aclprof functions.
#pragma once

#include <string>

#include "api/call.h"

namespace cairn::api {

/// At aclInit: records as the environment (PROFILING_MODE=true with PROFILING_OPTIONS, set by
/// msprof) or else `profiler`, the section of acl.json, asks for. 100000 for wrong options.
Answer BeginConfiguredProfile(const std::string& profiler);
/// At aclFinalize: the recording ends, also one of the aclprof functions.
void EndConfiguredProfile();

}  // namespace cairn::api
