// SPDX-License-Identifier: Apache-2.0
// Binding: from a task with concrete shapes to a kernel call that is ready to run; the same code at
// compile time (candidates, scratch sizes, timing) and at load time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "executable/program.h"
#include "kernels/isa.h"
#include "kernels/part.h"

namespace cairn::schedule {

/// Runs one phase of one part. `operands`: addresses of the task's inputs then outputs, null for
/// absent ones; `scratch`: at least scratch_bytes(), shared by all parts. Returns 0, or a kernel error
/// code (kernels report data-dependent faults such as an index out of range; see KernelFaultText).
using TaskFn = int (*)(const void* state, void* const* operands, void* scratch, int phase,
                       kernels::Part part);

/// Data-dependent faults a kernel can report while running.
enum KernelFault : int {
  kNoFault = 0,
  kIndexOutOfRange = 1,     ///< Gather, Scatter, ...: an index outside the axis.
  kDivisionByZero = 2,      ///< Integer division.
  kReferenceFailed = 3,     ///< The reference library reported an error: LastReferenceError().
  kBadAippParameters = 4,   ///< The block of a dynamic pre-processing does not fit the model.
};
std::string KernelFaultText(int fault);

/// What the reference library said about the last task of this thread that failed on it.
const std::string& LastReferenceError();

/// A kernel call with all parameters computed and checked.
struct BoundTask {
  TaskFn run = nullptr;
  std::shared_ptr<const void> state;   ///< Parameters; immutable, shared by all contexts.
  int num_phases = 1;                  ///< Barriers between phases are the caller's.
  int max_parts = 1;                   ///< Parts beyond this get no work.
  size_t scratch_bytes = 0;            ///< For max_parts parts.
};

/// What a binder sees. All tensors are verified to have the bytes their dims need.
struct BindContext {
  const Program& program;
  const Task& task;
  kernels::Isa isa;
  int num_threads;                     ///< Threads the runs will have at most.

  bool has_input(size_t i) const {
    return i < task.inputs.size() && task.inputs[i] != kNoTensor;
  }
  bool has_output(size_t i) const {
    return i < task.outputs.size() && task.outputs[i] != kNoTensor;
  }
  const ProgramTensor& input(size_t i) const { return program.tensors[task.inputs[i]]; }
  const ProgramTensor& output(size_t i) const { return program.tensors[task.outputs[i]]; }
  size_t num_inputs() const { return task.inputs.size(); }
  size_t num_outputs() const { return task.outputs.size(); }
  int c0() const { return kernels::VectorFloats(isa); }
  /// An error that names task, kernel and the violated rule.
  Status Invalid(const std::string& rule) const;
};

/// Checks that the task's operands and attributes obey the kernel's rules (ranks, dtypes, layouts,
/// output dims that follow from the attributes, packed sizes) and computes the parameters. Must be
/// safe for any task of an untrusted file: after success, run() stays inside the operands' bytes.
using BindFn = Result<BoundTask> (*)(const BindContext&);

struct KernelEntry {
  const char* name;
  BindFn bind;
};

/// The entry of that name in kernel_list.def, or nullptr.
const KernelEntry* FindKernel(std::string_view name);

/// Binds one task by its kernel's name.
Result<BoundTask> BindTask(const BindContext& context);

}  // namespace cairn::schedule
