// SPDX-License-Identifier: Apache-2.0
// The model as it was read, in other forms: JSON, and an offline model without program.
#pragma once

#include <string>

#include "base/status.h"
#include "ir/graph.h"

namespace cairn::compiler {

/// The file at `path` as JSON of its own messages.
Result<std::string> OnnxToJson(const std::string& path);

/// Writes `graph` as the model definition of `<output without .om>_original.om`, which only viewers
/// and the JSON mode read.
Status WriteOriginalModel(const Graph& graph, const std::string& output_path);

}  // namespace cairn::compiler
