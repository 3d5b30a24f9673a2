// SPDX-License-Identifier: Apache-2.0
// First stage of a compilation: reads the model; failures become coded errors.
#pragma once

#include <optional>

#include "compiler/compiler.h"

namespace cairn::compiler {

/// Puts a failed import into `report.errors`: its unsupported nodes, else `status`.
void ReportImport(const Status& status, CompileReport& report);

/// The imported model with static shapes, or nothing and an error in `report`.
std::optional<onnx::ImportedModel> ImportStage(const CompileOptions& options,
                                               CompileReport& report);

/// "node:index:tensor" of every output: the public output names, made before any pass.
std::vector<std::string> PublicOutputNames(const Graph& graph);

}  // namespace cairn::compiler
