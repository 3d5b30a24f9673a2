// SPDX-License-Identifier: Apache-2.0
// A small valid model for tests of runtime, API and tools: copies its inputs to its outputs.
#pragma once

#include <string>
#include <vector>

#include "executable/program.h"

namespace cairn::testing {

/// One input copied to one output of the same type and dims.
struct CopyPair {
  std::string input;
  std::string output;
  ElementType dtype = ElementType::kF32;
  std::vector<int64_t> dims;
};

/// A program with two `copy` tasks a pair: input to arena, arena to output.
Program CopyProgram(const std::vector<CopyPair>& pairs);

/// Writes that program as an `.om` file.
void WriteCopyModel(const std::string& path, const std::vector<CopyPair>& pairs);

/// Writes any program without weights as an `.om` file.
void WriteProgramModel(const std::string& path, const Program& program);

}  // namespace cairn::testing
