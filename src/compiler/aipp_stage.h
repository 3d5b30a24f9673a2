// SPDX-License-Identifier: Apache-2.0
// Image pre-processing from its configuration file into the imported graph.
#pragma once

#include "compiler/compiler.h"

namespace cairn::compiler {

/// Does nothing without a configuration file. False, with an error in `report`, when the file is
/// malformed or does not fit the model. `report.aipp` describes the pipeline.
bool AippStage(const CompileOptions& options, Graph& graph, CompileReport& report);

}  // namespace cairn::compiler
