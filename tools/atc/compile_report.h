// SPDX-License-Identifier: Apache-2.0
// The report of a compilation: what the passes did, which kernel each node got and why.
#pragma once

#include <string>

#include "compiler/compiler.h"

namespace cairn::atc {

/// Writes `--report=FILE`: JSON for a name that ends in .json, a self-contained page for .html.
/// kInvalidArgument for other names.
Status WriteCompileReport(const std::string& path, const compiler::CompileOptions& options,
                          const compiler::CompileReport& result);

}  // namespace cairn::atc
