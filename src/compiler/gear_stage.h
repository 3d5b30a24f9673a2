// SPDX-License-Identifier: Apache-2.0
// Compilation of a model for several shapes.
#pragma once

#include "compiler/build_stage.h"

namespace cairn::compiler {

/// Builds the model once per gear of `options` over shared weights. `program` becomes the
/// serialised program with all gears. Returns the model of the largest gear, with all weights;
/// nothing and an error in `report` on failure.
std::optional<BuiltModel> BuildGears(const CompileOptions& options, std::vector<std::byte>& program,
                                     CompileReport& report);

}  // namespace cairn::compiler
