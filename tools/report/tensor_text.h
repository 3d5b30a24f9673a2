// SPDX-License-Identifier: Apache-2.0
// How tables name the types, formats and shapes of a task's tensors.
#pragma once

#include <string>
#include <vector>

#include "executable/program.h"

namespace cairn::report {

/// "FLOAT", "INT64"; "N/A" for types without a public name.
std::string TypeText(ElementType type);
/// "NCHW" (rank 4) and "ND" for plain tensors, "NC1HWC0" or "NDC1HWC0" for blocked ones,
/// "FRACTAL_Z" for constants in a kernel's own packed form.
std::string FormatText(const ProgramTensor& tensor);
/// Dims as the bytes lie: blocked tensors have their block as the last dim.
std::vector<int64_t> StorageDims(const ProgramTensor& tensor, int c0);

struct OperandText {
  std::string shapes;   ///< "\"1,3,224,224;64\"", in quotes.
  std::string types;    ///< "FLOAT;FLOAT".
  std::string formats;  ///< "NCHW;ND".
};
/// Of all present operands in `list`; "N/A" for none.
OperandText DescribeOperands(const Program& program, const std::vector<uint32_t>& list);

/// "core" of a task for the column Task Type: AI_CORE, or AI_CPU for the reference kernel.
const char* TaskTypeText(const Task& task);

}  // namespace cairn::report
