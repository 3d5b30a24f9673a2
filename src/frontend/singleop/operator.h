// SPDX-License-Identifier: Apache-2.0
// One operator under its public name and the graph that computes it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "ir/graph.h"

namespace cairn::singleop {

/// An input; dtype kUndefined: an optional one that is absent.
struct InputOperand {
  ElementType dtype = ElementType::kUndefined;
  Shape shape;
  Tensor constant;  ///< Defined when the elements are known.
};

/// An output as the caller wants it.
struct OutputOperand {
  ElementType dtype = ElementType::kUndefined;  ///< kUndefined: as computed.
  std::optional<Shape> shape;                   ///< None: as computed.
};

struct Operator {
  std::string type;  ///< Public name: "Add", "MatMul", "Conv2D".
  std::vector<InputOperand> inputs;
  std::vector<OutputOperand> outputs;
  Attributes attributes;  ///< Public names; int64_t, float, std::string, Ints, Floats.
};

/// A graph whose inputs are the present inputs without constants, in order, and whose outputs have
/// the wanted types and shapes. kNotFound: unknown operator (the message suggests names);
/// kInvalidArgument: operands or attributes do not fit; kFailedPrecondition: an input must be a
/// constant.
Result<std::unique_ptr<Graph>> BuildGraph(const Operator& op);

/// Public names of all operators, sorted.
std::vector<std::string> OperatorNames();

}  // namespace cairn::singleop
