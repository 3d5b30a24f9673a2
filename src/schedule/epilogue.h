// SPDX-License-Identifier: Apache-2.0
// Epilogues of convolutions and matrix products: operands and attributes of a task, checked.
//
// Operands: the kernel's own inputs, then one input each for bias and residual (kNoTensor when
// absent), then the operands of the program. Attributes, all optional: `activation` (a
// kernels::Activation), `clip` (low, high), `program` and `constants` (see elementwise_program.h),
// `operand_kinds` (a kernels::EpilogueOperandKind per program input; every kind but kResult takes
// the next operand).
#pragma once

#include <array>

#include "kernels/elementwise/epilogue_program.h"
#include "schedule/kernel_binding.h"

namespace cairn::schedule {

/// Shape of the result as the tile kernels see it.
struct EpilogueShape {
  int64_t rows = 0;  ///< Batch and pixels.
  int64_t cols = 0;  ///< Channels.
};

/// Part of a task's state.
class BoundEpilogue {
 public:
  /// Checks the epilogue of `context`, whose own inputs are the first `num_inputs`; its result is
  /// output 0.
  static Result<BoundEpilogue> Bind(const BindContext& context, size_t num_inputs,
                                    EpilogueShape shape);

  const kernels::Epilogue& fixed() const { return fixed_; }
  const float* bias(void* const* operands) const { return At(operands, bias_); }
  const float* residual(void* const* operands) const { return At(operands, residual_); }
  size_t num_task_inputs() const { return num_task_inputs_; }
  bool has_program() const { return has_program_; }

  /// The hook's context for one call; `program` of this object must stay where it is.
  kernels::EpilogueProgram MakeContext(kernels::Isa isa, void* const* operands,
                                       const float* result) const;

 private:
  static const float* At(void* const* operands, int index) {
    return index < 0 ? nullptr : static_cast<const float*>(operands[index]);
  }

  kernels::Epilogue fixed_;
  int bias_ = -1, residual_ = -1;
  size_t num_task_inputs_ = 0;
  bool has_program_ = false;
  kernels::EltProgram program_{};
  std::array<kernels::EpilogueOperandKind, kernels::kEltMaxInputs> kinds_{};
  std::array<int, kernels::kEltMaxInputs> operands_{};
};

/// Runs `run(params)` with the epilogue's hook set up for these operands; `params.epilogue` is
/// replaced.
template <class Params, class RunFn>
void RunWithEpilogue(const BoundEpilogue& epilogue, Params params, void* const* operands,
                     const float* result, const RunFn& run) {
  params.epilogue = epilogue.fixed();
  if (!epilogue.has_program()) {
    run(params);
    return;
  }
  const kernels::EpilogueProgram context = epilogue.MakeContext(params.isa, operands, result);
  params.epilogue.hook = {kernels::ApplyEpilogueProgram, &context};
  run(params);
}

}  // namespace cairn::schedule
