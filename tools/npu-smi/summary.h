// SPDX-License-Identifier: Apache-2.0
// The table of `npu-smi info`; scripts parse it by column.
#pragma once

#include <string>
#include <vector>

#include "npu-smi/chip.h"

namespace npu_smi {

/// One table over all chips, in the layout of the first one.
std::string SummaryTable(const std::vector<Chip>& chips, const std::string& version);

}  // namespace npu_smi
