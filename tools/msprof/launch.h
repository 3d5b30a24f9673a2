// SPDX-License-Identifier: Apache-2.0
// Runs the application so that it records into a profile folder.
#pragma once

#include <string>

#include "msprof/command_line.h"

namespace msprof {

struct Outcome {
  int exit_code = 0;  ///< 128 + signal when it was killed.
  int signal = 0;
};

/// Starts the application with the recording options in its environment and waits for its end;
/// SIGINT and SIGTERM reach it, not msprof. kNotFound when it cannot be started.
cairn::Result<Outcome> RunApplication(const CommandLine& command, const std::string& folder);

/// The parent of the profile folder: --output, ASCEND_WORK_PATH, the folder of --application, or
/// the current one.
std::string OutputParent(const CommandLine& command);

}  // namespace msprof
