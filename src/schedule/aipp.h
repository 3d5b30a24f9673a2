// SPDX-License-Identifier: Apache-2.0
// What the attributes of an `aipp` task say.
#pragma once

#include "base/aipp.h"
#include "executable/program.h"

namespace cairn::schedule {

/// The frame of a static task; false when an attribute is malformed.
bool ReadTaskFrame(const Task& task, AippFrame& frame);

}  // namespace cairn::schedule
