// SPDX-License-Identifier: Apache-2.0
// The lines of `npu-smi info watch`.
#pragma once

#include <string>

#include "npu-smi/chip.h"

namespace npu_smi {

/// Letters of the columns in their order: power, temperature, AI core, AI CPU, control CPU, memory,
/// memory bandwidth.
inline constexpr const char* kWatchLetters = "ptaicmb";

/// Titles of the columns that `letters` choose; empty when a letter is no column.
std::string WatchHeader(const std::string& letters);

/// One line for a chip; "NA" for what is not known.
std::string WatchLine(const Chip& chip, const std::string& letters);

}  // namespace npu_smi
