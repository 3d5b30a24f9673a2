// SPDX-License-Identifier: Apache-2.0
// Finds libcairn_reference.so when a task needs it.
#pragma once

#include "abi/reference_api.h"
#include "base/status.h"

namespace cairn::schedule {

/// The reference library's functions; loaded at the first call from the folder of this code's own
/// library (or its sibling lib64), else by the loader's search path. A failure says where it looked.
Result<const CairnReferenceApi*> ReferenceLibrary();

/// For programs that link the reference themselves (compiler, tests): use `api`, load nothing.
void SetReferenceLibrary(const CairnReferenceApi* api);

}  // namespace cairn::schedule
