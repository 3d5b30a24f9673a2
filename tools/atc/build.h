// SPDX-License-Identifier: Apache-2.0
// Mode 0: compiles a model.
#pragma once

#include <string>
#include <vector>

#include "arguments.h"
#include "compiler/compiler.h"

namespace cairn::atc {

/// Fills the compiler's options from checked arguments. Notes on switches and names are added to
/// `notes`; false with an error in `report` when a switch file is wrong or a shape is dynamic.
bool MakeCompileOptions(const Arguments& arguments, compiler::CompileOptions& options,
                        std::vector<std::string>& notes, ErrorReport& report);

/// Checks, compiles, writes. The summary lines of --log=info and the model summary go to stdout.
bool RunBuild(const Arguments& arguments, const std::string& command_line, ErrorReport& report);

}  // namespace cairn::atc
