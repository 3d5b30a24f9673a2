// SPDX-License-Identifier: Apache-2.0
// The store behind aclGetRecentErrMsg and aclrtGetLastError.
#pragma once

#include "api/call.h"

namespace cairn::api {

/// Puts the text of a failed call in front of the stored ones and sets the thread's last code.
void AppendErrorText(const char* function, const Answer& answer);

/// The stored text, or null when there is none; clears the store. Valid until the next call on the
/// thread.
const char* TakeErrorText();

/// The last code of this thread.
aclError LastCode();
void ClearLastCode();

/// One store for all threads instead of one per thread.
void ShareErrorText(bool shared);

}  // namespace cairn::api
