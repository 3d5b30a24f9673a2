// SPDX-License-Identifier: Apache-2.0
// Last stage of a compilation: model definition, container, file.
#pragma once

#include <span>

#include "compiler/build_stage.h"

namespace cairn::compiler {

/// Writes `program`, a serialised program over the weights of `built`, with the graph of `built` as
/// the public model definition. Returns the size of the file and sets `report.summary`; 0 after an
/// error.
uint64_t OutputStage(const CompileOptions& options, const BuiltModel& built,
                     std::span<const std::byte> program, CompileReport& report);

}  // namespace cairn::compiler
