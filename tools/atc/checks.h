// SPDX-License-Identifier: Apache-2.0
// Checks of option values and of their combinations, in the order that decides which error comes
// first.
#pragma once

#include "arguments.h"
#include "compiler/compiler.h"
#include "input_shape.h"

namespace cairn::atc {

/// Checks everything that can be known before the model is read. `shapes` receives --input_shape,
/// `gears` the shapes of the dynamic options. False after the first violation, which is in `report`.
bool CheckBuildArguments(const Arguments& arguments, std::vector<InputShape>& shapes,
                         compiler::GearOptions& gears, ErrorReport& report);

/// The same for --mode=3, which compiles nothing.
bool CheckPreCheckArguments(const Arguments& arguments, ErrorReport& report);

/// An existing, readable file; else the error `code` with its path argument called `path_argument`.
bool CheckInputFile(const std::string& path, std::string_view code, std::string_view path_argument,
                    ErrorReport& report);

/// A path at which a file may be written: not too long (E13002), with a file name (E10022), below a
/// folder that exists or can be made and is writable (E13000).
bool CheckOutputFile(const std::string& path, std::string_view parameter, ErrorReport& report);

}  // namespace cairn::atc
