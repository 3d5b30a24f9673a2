// SPDX-License-Identifier: Apache-2.0
// First stage of a compilation: reads the model; failures become coded errors.
#pragma once

#include <optional>

#include "compiler/compiler.h"

namespace cairn::compiler {

/// Puts a failed import into `report.errors`: its unsupported nodes, else `status`.
void ReportImport(const Status& status, CompileReport& report);

/// The model imported with `import`, or nothing and an error in `report`.
std::optional<onnx::ImportedModel> ImportStage(const CompileOptions& options,
                                               const onnx::ImportOptions& import,
                                               CompileReport& report);

/// Whether an input has a dim without a number.
bool HasOpenInputs(const Graph& graph);

/// "'x' f32[N,3,H,W]; give numbers ...": names the open inputs and how to fix them.
std::string DescribeOpenInputs(const Graph& graph);

/// "node:index:tensor" of every output: the public output names, made before any pass.
std::vector<std::string> PublicOutputNames(const Graph& graph);

}  // namespace cairn::compiler
