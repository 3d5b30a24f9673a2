// SPDX-License-Identifier: Apache-2.0
// The measured multiply-add peak of one core, the denominator of every percentage.
#pragma once

#include "kernels/isa.h"

namespace cairn::machine {

/// Floating-point operations per second of independent fused multiply-adds in registers; best of
/// many tries.
double MeasurePeakFlops(kernels::Isa isa);

}  // namespace cairn::machine
