// SPDX-License-Identifier: Apache-2.0
// Runs a compiled program task by task on one thread and hands out what each task wrote.
#pragma once

#include <functional>
#include <vector>

#include "executable/program.h"
#include "ir/tensor.h"

namespace cairn::compare {

/// Called after each task with its outputs as row-major tensors; undefined for absent outputs.
using TaskObserver = std::function<void(const Task& task, const std::vector<Tensor>& outputs)>;

/// Runs with the kernels that the runtime uses; they give the same results for every number of
/// threads. Returns the model's outputs. `inputs`: one of the declared type and bytes per input.
Result<std::vector<Tensor>> RunStepwise(const Program& program, std::span<const std::byte> weights,
                                        const std::vector<Tensor>& inputs,
                                        const TaskObserver& observer);

}  // namespace cairn::compare
