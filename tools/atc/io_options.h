// SPDX-License-Identifier: Apache-2.0
// The options about element types and layouts of inputs and outputs.
#pragma once

#include "arguments.h"
#include "compiler/io_types.h"

namespace cairn::atc {

/// Reads --output_type, --input_fp16_nodes, --is_input_adjust_hw_layout and
/// --is_output_adjust_hw_layout. False after an error in `report`.
bool ReadIoOptions(const Arguments& arguments, compiler::IoTypeOptions& options,
                   ErrorReport& report);

}  // namespace cairn::atc
