// SPDX-License-Identifier: Apache-2.0
// Tuning: candidates are timed on this machine instead of estimated.
#pragma once

#include "plan/layout.h"

namespace cairn::plan {

/// Replaces the estimated cycles of every candidate of a heavy node by measured ones: one thread,
/// best of some runs, the tasks bound and run as they would be in the program. What the estimates
/// had `chosen` keeps a small advantage. Measurements are taken from options.bank_path and added to
/// it; with the same bank the result is the same. A bank that cannot be read or written costs a
/// warning and the measurements. Does nothing when this machine cannot run the target's kernels.
Status TuneCandidates(const LowerContext& context, const Graph& graph,
                      std::vector<NodeChoice>& choices, std::vector<std::string>& warnings);

}  // namespace cairn::plan
