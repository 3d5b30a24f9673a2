// SPDX-License-Identifier: Apache-2.0
// The table of a comparison, with the public columns.
#pragma once

#include <string>

#include "compare/comparison.h"

namespace cairn::compare {

/// Header and one line per row.
std::string ResultCsv(const Comparison& comparison);

}  // namespace cairn::compare
