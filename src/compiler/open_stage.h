// SPDX-License-Identifier: Apache-2.0
// Compilation of a model whose shapes are known at run time only.
#pragma once

#include "compiler/build_stage.h"

namespace cairn::compiler {

/// Prepares `model` for planning at run time: chooses kernels and packs constants at its likely
/// shapes. `program` becomes the serialised program. Nothing and an error in `report` on failure.
std::optional<BuiltModel> BuildOpen(const CompileOptions& options, OptimizedModel model,
                                    std::vector<std::byte>& program, CompileReport& report);

}  // namespace cairn::compiler
