// SPDX-License-Identifier: Apache-2.0
// Element types and layouts of the model's inputs and outputs as the user wants them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/element_type.h"
#include "compiler/error_report.h"
#include "ir/graph.h"

namespace cairn::compiler {

/// An input by name that is given as float16.
struct HalfInput {
  std::string name;
  bool blocked = false;  ///< It is also NC1HWC0, with 16 channels a block.
};

/// The element type of one output, named by its node and output index.
struct NodeOutputType {
  std::string node;
  int64_t index = 0;
  ElementType type = ElementType::kUndefined;
};

struct IoTypeOptions {
  std::vector<HalfInput> half_inputs;
  std::optional<ElementType> output_type;    ///< Of every output.
  std::vector<NodeOutputType> output_types;  ///< Of single outputs.
  std::vector<bool> blocked_outputs;         ///< By output: float16 NC1HWC0.
};

/// Which inputs and outputs became NC1HWC0, by index.
struct IoLayouts {
  std::vector<bool> blocked_inputs, blocked_outputs;
};

/// Puts conversions between the model and its new inputs and outputs. `output_names`: the public
/// names of the outputs ("node:index:tensor"). False after an error in `errors`.
bool ApplyIoTypes(Graph& graph, const IoTypeOptions& options,
                  const std::vector<std::string>& output_names, IoLayouts& layouts,
                  ErrorReport& errors);

}  // namespace cairn::compiler
