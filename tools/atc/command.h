// SPDX-License-Identifier: Apache-2.0
// The whole atc command: console protocol around parsing and the run of a mode.
#pragma once

#include <span>
#include <string>

namespace cairn::atc {

/// Runs the command line `words` (words[0] is the program) and prints what the console protocol
/// asks. Returns the exit status: 0, or 255 for any failure.
int RunCommand(std::span<const std::string> words);

}  // namespace cairn::atc
