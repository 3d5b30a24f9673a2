// SPDX-License-Identifier: Apache-2.0
// The answer of functions that are not available.
#pragma once

namespace cairn::api {

/// Records that `function` is not supported and why; returns ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
int Refuse(const char* function, const char* reason);

}  // namespace cairn::api
