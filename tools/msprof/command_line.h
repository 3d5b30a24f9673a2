// SPDX-License-Identifier: Apache-2.0
// The command line of msprof: options, then the application and its arguments.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/status.h"

namespace msprof {

enum class Mode { kHelp, kRun, kExport, kQuery, kAnalyze, kParse, kReport };

struct CommandLine {
  Mode mode = Mode::kHelp;
  std::map<std::string, std::string> options;  ///< As given, without "--"; defaults are absent.
  std::vector<std::string> application;        ///< Program and arguments; only of kRun.
  std::vector<std::string> ignored;            ///< Options for hardware that a CPU does not have.

  std::string Get(const std::string& name, const std::string& fallback = "") const {
    const auto found = options.find(name);
    return found == options.end() ? fallback : found->second;
  }
};

/// kInvalidArgument names the option, its value and what is valid.
cairn::Result<CommandLine> ParseCommandLine(const std::vector<std::string>& arguments);

/// The text of --help.
std::string HelpText();

/// Splits the value of --application: words, with quotes as a shell reads them.
cairn::Result<std::vector<std::string>> SplitWords(const std::string& text);

}  // namespace msprof
