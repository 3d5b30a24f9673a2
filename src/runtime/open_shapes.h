// SPDX-License-Identifier: Apache-2.0
// Judges the shapes and buffers given to a model of open shapes.
#pragma once

#include <span>
#include <vector>

#include "base/status.h"
#include "executable/program.h"

namespace cairn::runtime {

/// Attribute of the program's task: least and most of every dim of every input; -1: no limit.
inline constexpr char kRangesAttribute[] = "ranges";

/// kInvalidArgument, with the input, the dims given and those allowed, for a wrong rank, negative
/// dims and dims outside `ranges` (least and most of each).
Status CheckOpenDims(size_t index, const ProgramIo& input, std::span<const int64_t> ranges,
                     std::span<const int64_t> dims);

/// The failure for an input whose open dims were not given.
Status MissingShape(size_t index, const ProgramIo& input);

/// The failure for a buffer of `given` bytes where `dims` need `needed`.
Status SmallBuffer(const char* kind, size_t index, const ProgramIo& io,
                   std::span<const int64_t> dims, uint64_t needed, uint64_t given);

}  // namespace cairn::runtime
