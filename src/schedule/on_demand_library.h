// SPDX-License-Identifier: Apache-2.0
// Finds and opens a library of this project that is not needed by every model.
#pragma once

#include <string>

#include "base/status.h"

namespace cairn::schedule {

/// The address of `symbol` in `file`, which lies beside this code, in its lib64 or on the loader's
/// path. kNotFound, with all places looked at, when `reason` ("the model has ...") cannot be served.
Result<void*> FindInLibrary(const char* file, const char* symbol, const std::string& reason);

}  // namespace cairn::schedule
