// SPDX-License-Identifier: Apache-2.0
// Finds what makes a compiled model wrong: a pass, a kernel, or the file itself.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"

namespace cairn::compare {

/// One way to compile the model anew.
struct Variant {
  std::map<std::string, bool> switches;  ///< Passes by name; absent ones as usual.
  bool use_kernels = true;               ///< False: every task on the reference kernel.
  bool high_precision = false;
};

/// Whether the model compiled as `variant` has the right outputs.
using Judge = std::function<Result<bool>(const Variant& variant)>;

struct Culprit {
  enum class Kind { kFile, kPass, kPassPair, kKernel, kPrecision, kUnknown } kind;
  std::string text;  ///< One sentence that names it and says what to do.
};

/// Compiles at most about twice as often as there are passes. `passes`: names of those that can be
/// switched off.
Result<Culprit> FindCulprit(const std::vector<std::string>& passes, const Judge& judge);

}  // namespace cairn::compare
