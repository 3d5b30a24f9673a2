// SPDX-License-Identifier: Apache-2.0
// An epilogue's program as an element-wise task of its own, where the kernel's tiles suit it badly.
#pragma once

#include "plan/emitter.h"
#include "plan/epilogue.h"

namespace cairn::plan {

/// True when the program can run on a whole result of `layout`.
bool CanSplitProgram(const EpiloguePlan& plan, const Value& result, Layout layout);

/// The plan without its program: what stays in the kernel.
EpiloguePlan WithoutProgram(const EpiloguePlan& plan);

/// Sets the layouts of the program's node inputs as EmitProgram reads them.
void SetProgramLayouts(const EpiloguePlan& plan, Layout layout, Candidate& candidate);

/// Applies the program to `sums` (all that precedes it, in `layout`), giving node output 0.
Status EmitProgram(Emitter& emit, const EpiloguePlan& plan, TensorId sums, Layout layout);

/// Estimated cycles of the task.
double ProgramCycles(const LowerContext& context, const EpiloguePlan& plan, double elements);

/// Estimated cycles of the program inside a kernel: vectors, and rows whose last vector is not
/// full, which are handled one at a time.
double HookCycles(const LowerContext& context, const EpiloguePlan& plan, double rows,
                  int64_t columns);

}  // namespace cairn::plan
