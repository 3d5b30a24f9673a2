// SPDX-License-Identifier: Apache-2.0
// Last stage of a compilation: model definition, container, file.
#pragma once

#include "compiler/compiler.h"

namespace cairn::compiler {

/// What the file says about inputs and outputs besides their types.
struct PublicIo {
  const std::vector<std::string>& output_names;
  const IoLayouts& layouts;
};

/// Writes `compiled` (its program gets names and version here) with `graph` as its public model
/// definition. Returns the size of the file and sets `report.summary`; 0 after an error.
uint64_t OutputStage(const CompileOptions& options, const Graph& graph, const PublicIo& io,
                     plan::CompiledProgram& compiled, CompileReport& report);

}  // namespace cairn::compiler
