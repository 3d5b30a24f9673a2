// SPDX-License-Identifier: Apache-2.0
// The compiler library, loaded when the first operator is called by name.
#pragma once

#include "abi/compiler_api.h"
#include "base/status.h"

namespace cairn::runtime {

/// The interface of libcairn_compiler.so, looked for beside this library, then on the loader's path.
/// kUnsupported when it is not installed, kIncompatible when it is of another version.
Result<const CairnCompilerApi*> CompilerLibrary();

}  // namespace cairn::runtime
