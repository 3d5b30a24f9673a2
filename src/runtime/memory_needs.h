// SPDX-License-Identifier: Apache-2.0
// What a program needs memory for, in words, for those who run out of it.
#pragma once

#include <string>

#include "executable/program.h"

namespace cairn::runtime {

/// "arena 12.3 MiB, weights 90.1 MiB; largest tensors in the arena: ...; ...". Names the three
/// largest tensors by the task that writes them, and what lowers the need.
std::string DescribeMemoryNeeds(const Program& program);

}  // namespace cairn::runtime
