// SPDX-License-Identifier: Apache-2.0
// The options of operator tuning: precision modes, their lists and files, kernel variants.
#pragma once

#include <string>
#include <vector>

#include "arguments.h"
#include "compiler/compiler.h"

namespace cairn::atc {

/// Reads --precision_mode and _v2 with --modify_mixlist, --keep_dtype, --customize_dtypes and
/// --is_weight_clip, and --op_select_implmode with --optypelist_for_implmode and
/// --op_precision_mode. What has no effect here goes to `notes`. False after an error in `report`.
bool ReadPrecisionOptions(const Arguments& arguments, compiler::CompileOptions& options,
                          std::vector<std::string>& notes, ErrorReport& report);

}  // namespace cairn::atc
