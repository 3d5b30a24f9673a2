// SPDX-License-Identifier: Apache-2.0
// Modes 1 and 6: offline model to JSON, and its summary.
#pragma once

#include "arguments.h"

namespace cairn::atc {

/// Mode 1: writes --json from --om.
bool RunToJson(const Arguments& arguments, ErrorReport& report);

/// Mode 6: prints the summary of --om.
bool RunDisplay(const Arguments& arguments, ErrorReport& report);

}  // namespace cairn::atc
