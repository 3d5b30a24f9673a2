// SPDX-License-Identifier: Apache-2.0
// Translation of element-wise operators into programs of the element-wise engine.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ir/graph.h"
#include "kernels/elementwise/program.h"

namespace cairn::plan {

/// A program and the values that its inputs stand for.
struct EltTranslation {
  kernels::EltProgram program;
  std::vector<const Value*> inputs;  ///< Values no translated node produces; each once.
  double cycles_per_vector = 0;      ///< Estimate of its arithmetic.
};

/// Translates `nodes` (in order) so that the program's outputs are `outputs`. Scalar constants
/// become constants of the program. Nothing when an operator, an element type or the size is beyond
/// the engine: arithmetic is f32, truth values are allowed, integers only under Cast.
std::optional<EltTranslation> TranslateElementwise(std::span<const Node* const> nodes,
                                                   std::span<const Value* const> outputs);

/// True when the engine has the operator (whatever the types).
bool IsElementwiseOp(const std::string& op);

}  // namespace cairn::plan
