// SPDX-License-Identifier: Apache-2.0
// --singleop: a JSON list of operators, each compiled to an offline model of its own.
#pragma once

#include <vector>

#include "arguments.h"
#include "compiler/compiler.h"
#include "compiler/single_op.h"

namespace cairn::atc {

/// Reads the list in `text`, which lay in `path`. Reports E10025 to E10030; false then.
bool ParseSingleOps(const std::string& path, const std::string& text,
                    std::vector<compiler::SingleOp>& ops, ErrorReport& report);

/// Compiles every operator of --singleop into the folder --output with the given options; the first
/// failure ends it.
bool RunSingleOps(const Arguments& arguments, const compiler::CompileOptions& options,
                  ErrorReport& report);

}  // namespace cairn::atc
