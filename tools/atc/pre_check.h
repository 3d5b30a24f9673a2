// SPDX-License-Identifier: Apache-2.0
// Mode 3, and the report on operators that cannot be compiled.
#pragma once

#include "arguments.h"
#include "compiler/compiler.h"

namespace cairn::atc {

/// Checks the model without compiling it and writes the report. False after an error in `report`.
bool RunPreCheck(const Arguments& arguments, ErrorReport& report);

/// Writes the report of a build that failed over its operators; a failure to write is a warning.
void WriteCheckReport(const Arguments& arguments, const compiler::CompileOptions& options);

}  // namespace cairn::atc
