// SPDX-License-Identifier: Apache-2.0
// Modes 1, 5 and 6: models to JSON, and the summary of an offline model.
#pragma once

#include "arguments.h"

namespace cairn::atc {

/// Mode 1: writes --json from --om; with --framework that is an original model.
bool RunToJson(const Arguments& arguments, ErrorReport& report);

/// Mode 5: a model definition in text form (`--om`, a .txt file) to JSON.
bool RunTextToJson(const Arguments& arguments, ErrorReport& report);

/// Mode 6: prints the summary of --om.
bool RunDisplay(const Arguments& arguments, ErrorReport& report);

}  // namespace cairn::atc
