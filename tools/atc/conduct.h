// SPDX-License-Identifier: Apache-2.0
// What becomes of options that have no effect here or are not supported yet.
#pragma once

#include <string>
#include <vector>

#include "arguments.h"

namespace cairn::atc {

/// One note for each given option that has no effect (at its value, in this mode), in table order.
std::vector<std::string> NotesOnOptions(const Arguments& arguments);

/// Reports all given options that are not supported yet in one E10055; false when there are any.
bool CheckSupported(const Arguments& arguments, ErrorReport& report);

}  // namespace cairn::atc
