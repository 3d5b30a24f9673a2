// SPDX-License-Identifier: Apache-2.0
// The element-wise engine: one program over broadcast tensors of mixed storage types.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/element_type.h"
#include "kernels/elementwise/program.h"
#include "kernels/isa.h"
#include "kernels/part.h"

namespace cairn::kernels {

inline constexpr int kEltMaxRank = 6;

/// Storage of one operand: its element at index i is at sum(i[k] * strides[k]) elements.
struct EltOperand {
  ElementType type;              ///< One for which IsTileType holds.
  int64_t strides[kEltMaxRank];  ///< Outermost first; 0 broadcasts (inputs only).
};

/// Plain data. All arithmetic is f32; i32 and i64 inputs are rounded to f32 (exact integer
/// arithmetic is in kernels/integer).
struct EltParams {
  Isa isa;
  EltProgram program;  ///< Valid by ValidateProgram.
  int32_t rank;
  int64_t dims[kEltMaxRank];  ///< Of the outputs, outermost first.
  EltOperand inputs[kEltMaxInputs];
  EltOperand outputs[kEltMaxOutputs];
  /// Blocked layouts: when mask_channels > 0, dimension mask_dim counts the channel blocks of
  /// C0 = VectorFloats(isa) channels, the last dimension is a multiple of C0 whose index modulo C0
  /// is the channel in its block, and lanes of channels >= mask_channels are stored as 0.
  int32_t mask_dim;
  int64_t mask_channels;
};

/// Merges neighbouring dimensions wherever all operands allow it, and drops those of size 1: the
/// same result in fewer, longer rows. Call it once when the parameters are made.
void CollapseDims(EltParams& params);

struct EltBuffers {
  const void* const* inputs;  ///< An input may be an output's memory where MayAlias holds and the
  void* const* outputs;       ///< strides are equal; other overlaps are not allowed.
};

/// None is needed.
inline size_t ElementwiseWorkspaceBytes(const EltParams&, int /*num_parts*/) { return 0; }
inline int ElementwisePhases(const EltParams&) { return 1; }
/// Computes one share; needs 200 KiB of stack.
void RunElementwise(const EltParams& params, const EltBuffers& buffers, int phase, Part part);

}  // namespace cairn::kernels
