// SPDX-License-Identifier: Apache-2.0
// An element-wise program as the last step of a convolution or matrix product.
#pragma once

#include "kernels/elementwise/tile_program.h"
#include "kernels/epilogue.h"

namespace cairn::kernels {

/// How input i of the program is found for element (row, column) of a result.
enum class EpilogueOperandKind : uint8_t {
  kResult = 0,     ///< The element itself; `data` is not used.
  kScalar = 1,     ///< data[0].
  kPerColumn = 2,  ///< data[column]: a value per channel.
  kPerRow = 3,     ///< data[row], rows counted over batch and pixels.
  kTensor = 4,     ///< An f32 tensor with the result's shape and storage layout.
};

struct EpilogueOperand {
  EpilogueOperandKind kind;
  const float* data;
};

/// The context of ApplyEpilogueProgram. Holds pointers to its arguments and to the operands' data.
struct EpilogueProgram {
  TileProgram tile;
  const float* result;  ///< Start of the tensor that regions are part of.
  EpilogueOperand operands[kEltMaxInputs];
};

/// `program` is valid, has one output and must outlive the context.
EpilogueProgram MakeEpilogueProgram(Isa isa, const EltProgram& program,
                                    const EpilogueOperand* operands, const float* result);

/// EpilogueHook::apply: replaces every element of `region` by the program's output.
void ApplyEpilogueProgram(const void* context, const TileRegion& region);

}  // namespace cairn::kernels
