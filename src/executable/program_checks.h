// SPDX-License-Identifier: Apache-2.0
// Checks of an untrusted program's records against each other.
#pragma once

#include <string>

#include "executable/program.h"

namespace cairn {

/// kDataCorrupt: "the program is damaged: <what>".
Status CorruptProgram(const std::string& what);

/// Every index, offset, byte count and dim of `program`. `own_end`: where its own data end among
/// the `bytes` bytes that were read; programs of gears fill the rest.
Status CheckProgram(const Program& program, uint64_t own_end, uint64_t bytes);

}  // namespace cairn
