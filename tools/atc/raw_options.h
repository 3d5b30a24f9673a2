// SPDX-License-Identifier: Apache-2.0
// --raw_ge_options: compile options under the names of the programming interface, in a JSON file.
#pragma once

#include <string>
#include <vector>

#include "arguments.h"

namespace cairn::atc {

/// The options in the file of --raw_ge_options as words of a command line ("--name=value"), those
/// of the graph after those of the session after the global ones. Unknown names are an error, with
/// --raw_ge_options_ignore_unsupported a warning. False after an error in `report`.
bool ReadRawOptions(const Arguments& arguments, std::vector<std::string>& words,
                    ErrorReport& report);

}  // namespace cairn::atc
