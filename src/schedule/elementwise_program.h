// SPDX-License-Identifier: Apache-2.0
// Element-wise programs as task attributes.
#pragma once

#include <string_view>

#include "executable/program.h"
#include "kernels/elementwise/program.h"

namespace cairn::schedule {

/// Attribute `program`: ints num_inputs, num_outputs, the output values, then op, dst, a, b, c of
/// each instruction. Attribute `constants`: doubles, the program's constants.
void EncodeProgram(const kernels::EltProgram& program, TaskAttributes& attributes);

/// Reads and validates what EncodeProgram wrote; any attribute of a damaged file is an error.
Result<kernels::EltProgram> DecodeProgram(const Task& task);

}  // namespace cairn::schedule
