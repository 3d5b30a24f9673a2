// SPDX-License-Identifier: Apache-2.0
// How many threads a task is worth.
#pragma once

#include <cstdint>

namespace cairn::plan {

/// Most parts a task of this estimated work should be cut into; 1 below about five microseconds.
uint32_t MaxParts(double cycles);

}  // namespace cairn::plan
