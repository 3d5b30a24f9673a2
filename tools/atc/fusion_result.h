// SPDX-License-Identifier: Apache-2.0
// The file fusion_result.json: how often each pass changed the graph.
#pragma once

#include <string>
#include <vector>

#include "arguments.h"
#include "passes/pass.h"

namespace cairn::atc {

/// True when --export_compile_stat asks for the file, or --fusion_switch_file is given and
/// --export_compile_stat does not forbid it.
bool WantsFusionResult(const Arguments& arguments);

/// `$ASCEND_WORK_PATH/FE/<pid>/fusion_result.json`, without that variable in the current folder.
std::string FusionResultPath();

/// The contents: per pass `match_times` and `effect_times` (the number of changes), as texts.
std::string FusionResultJson(const std::vector<PassRecord>& passes);

}  // namespace cairn::atc
