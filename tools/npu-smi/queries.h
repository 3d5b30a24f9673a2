// SPDX-License-Identifier: Apache-2.0
// The key/value answers of `npu-smi info -l`, `-m` and `-t`.
#pragma once

#include <string>
#include <vector>

#include "npu-smi/chip.h"

namespace npu_smi {

std::string CardList(const std::vector<Chip>& chips);
std::string ChipMap(const std::vector<Chip>& chips);

enum class QueryKind { kKnown, kUnsupported, kUnknown };
/// Whether `type` of `info -t` is answered, known but not available here, or no type at all.
QueryKind KindOfQuery(const std::string& type);

/// The answer to a query of kind kKnown about one chip.
std::string Answer(const std::string& type, const Chip& chip);

}  // namespace npu_smi
