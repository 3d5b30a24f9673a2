// SPDX-License-Identifier: Apache-2.0
// Original and compiled model node by node: which task is the first whose result is wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/metrics.h"
#include "executable/program.h"
#include "ir/graph.h"

namespace cairn::compare {

/// One compared result.
struct Row {
  std::string task;  ///< Of the compiled model, or "Node_Output" for an output of the model.
  std::string op_type, kernel;
  std::string golden;  ///< Node of the original model; "*" when none corresponds.
  std::string tensor;  ///< "<op>:output:<i>".
  std::string shape;   ///< "[1,3,224,224]".
  ElementType dtype = ElementType::kUndefined, golden_dtype = ElementType::kUndefined;
  Metrics metrics;
  std::string reason;  ///< Why there are no metrics; empty when there are.
  std::string error;   ///< Why it counts as wrong; empty when it does not.
  bool is_model_output = false;
};

struct Comparison {
  std::vector<Row> rows;
  std::optional<size_t>
      first_bad;  ///< First row with an error, when an output of the model is wrong.
  bool outputs_agree = true;
};

/// Runs `graph`, the original model as imported, by the reference, `program` by its kernels, on the
/// same inputs, and compares the result of each task with the node of the model that it ends with.
Result<Comparison> CompareModels(const Graph& graph, const Program& program,
                                 std::span<const std::byte> weights,
                                 const std::vector<Tensor>& inputs);

}  // namespace cairn::compare
