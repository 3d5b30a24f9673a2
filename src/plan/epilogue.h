// SPDX-License-Identifier: Apache-2.0
// Matching of epilogue regions to what convolution and matrix product kernels do with their sums.
#pragma once

#include <optional>
#include <vector>

#include "kernels/elementwise/epilogue_program.h"
#include "kernels/epilogue.h"
#include "plan/lowering.h"

namespace cairn::plan {

/// A value of the enclosing graph, or a constant inside the region (node_input < 0).
struct EpilogueValue {
  int node_input = -1;
  const Value* value = nullptr;
};

/// In the order in which kernels apply them: bias, residual, activation, program.
struct EpiloguePlan {
  std::optional<EpilogueValue> bias;  ///< A constant, one value per channel.
  int64_t channel_repeats = 1;  ///< Neighbouring channels of the result per value of the bias.
  std::optional<EpilogueValue> residual;  ///< A tensor of the result's shape.
  kernels::Activation activation = kernels::Activation::kNone;
  float clip_low = 0, clip_high = 0;  ///< Of kClip.
  std::optional<kernels::EltProgram> program;
  struct Operand {
    kernels::EpilogueOperandKind kind;
    EpilogueValue source;  ///< Unset for kResult.
  };
  std::vector<Operand> operands;  ///< One per program input.
  double cycles_per_vector = 0;   ///< Of the program.
};

/// Matches `bias` (input of the operator, may be null; the result adds it along `channel_axis`) and
/// the node's epilogue, if any. Nothing when the epilogue is beyond the kernels.
std::optional<EpiloguePlan> MatchEpilogue(const Node& node, int bias_input, size_t channel_axis);

/// Sets the wanted layouts of the epilogue's node inputs in `candidate`; `result` is its result's
/// layout.
void SetEpilogueLayouts(const EpiloguePlan& plan, Layout result, Candidate& candidate);

/// Appends the epilogue's operands to `inputs` and its attributes to `attributes`. `reusable`: gets
/// the index of the residual.
Status EmitEpilogue(Emitter& emit, const EpiloguePlan& plan, Layout result, int64_t channels,
                    std::vector<uint32_t>& inputs, TaskAttributes& attributes,
                    std::vector<uint32_t>& reusable);

}  // namespace cairn::plan
