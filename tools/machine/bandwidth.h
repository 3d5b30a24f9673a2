// SPDX-License-Identifier: Apache-2.0
// The measured bandwidth of main memory, the other roof.
#pragma once

namespace cairn::machine {

/// Bytes per second that `num_cores` threads read together from arrays larger than the caches; best
/// of several tries.
double MeasureReadBandwidth(int num_cores);

}  // namespace cairn::machine
