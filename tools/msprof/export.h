// SPDX-License-Identifier: Apache-2.0
// Turns recorded folders into what people and viewers read.
#pragma once

#include <string>

#include "msprof/command_line.h"

namespace msprof {

/// Writes tables, timeline and their description into `folder`/mindstudio_profiler_output. Damaged
/// parts are warned about and left out.
cairn::Status Export(const std::string& folder, const CommandLine& command);

/// Prints the table of what was recorded.
cairn::Status Query(const std::string& folder);

/// Reads everything once and prints what is damaged.
cairn::Status Check(const std::string& folder);

/// Writes `folder`/analyze/communication*.json: empty, one device has no communication.
cairn::Status Analyze(const std::string& folder, const std::string& rules);

/// Writes or prints the report; `compared` is another profile folder or "".
cairn::Status Report(const std::string& folder, const std::string& form,
                     const std::string& compared);

}  // namespace msprof
