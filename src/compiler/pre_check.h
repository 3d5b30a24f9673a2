// SPDX-License-Identifier: Apache-2.0
// The check of a model without compiling it, and its report in JSON.
#pragma once

#include <span>
#include <string>

#include "compiler/compiler.h"
#include "frontend/onnx/node_list.h"

namespace cairn::compiler {

/// Reads the model and finds every node that cannot be compiled. `json`: the check report, also of
/// a model that fails; empty when the file is no model at all. False on failure, with the errors in
/// `report`.
bool PreCheckModel(const CompileOptions& options, CompileReport& report, std::string& json);

/// {"name", "result", "total", "pass", "fail", "op": [{"name", "type", "result", "cause"}]}.
std::string CheckReportJson(const std::string& model, std::span<const onnx::ListedNode> nodes,
                            std::span<const onnx::UnsupportedNode> unsupported);

}  // namespace cairn::compiler
