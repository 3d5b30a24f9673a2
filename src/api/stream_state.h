// SPDX-License-Identifier: Apache-2.0
// Callbacks of the application for streams that come and go.
#pragma once

#include "acl/acl_rt.h"

namespace cairn::api {

/// Calls every registered callback. Call without locks.
void ReportStreamState(aclrtStream stream, aclrtStreamState state);

}  // namespace cairn::api
