// SPDX-License-Identifier: Apache-2.0
// One backend case through compiler and runtime.
#pragma once

#include <filesystem>
#include <string>

namespace cairn::testing {

/// What a case came to in one mode.
struct Verdict {
  std::string outcome;  ///< "passed", "unsupported" or "failed"; "crashed", "timeout" by the parent.
  std::string path;     ///< "runtime": compiled and run; "interpreter": no program can hold it.
  std::string reason;   ///< Why it did not pass, or why it took the interpreter.
};

/// Compiles the case's model with all passes or without and compares every data set. A model whose
/// inputs or outputs no program can hold (strings, sequences, optionals), or whose shapes depend on
/// its data, is run by the reference interpreter after the same passes. `scratch`: a folder for the compiled model.
Verdict RunCase(const std::filesystem::path& folder, bool with_passes,
                const std::filesystem::path& scratch);

}  // namespace cairn::testing
