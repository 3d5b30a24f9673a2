// SPDX-License-Identifier: Apache-2.0
// Single operators described by their tensors, as graphs of one operator.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "ir/graph.h"

namespace cairn::compiler {

struct SingleOpTensor {
  int32_t format = 2;  ///< Public number: 0 NCHW, 1 NHWC, 2 ND, ...
  ElementType type = ElementType::kUndefined;
  std::vector<int64_t> dims;
  bool is_absent = false;      ///< An optional operand that is not given.
  std::vector<double> values;  ///< Elements of a constant operand.
  bool is_constant = false;
};

/// An operator in the terms of the original: its type, operands, results and attributes.
struct SingleOp {
  std::string type, name;
  std::vector<SingleOpTensor> inputs, outputs;
  Attributes attributes;
};

/// A graph whose inputs are the operands that are not constant and whose outputs are the results.
/// kNotFound for an operator that is not known; kUnsupported for dynamic shapes; else an error
/// when its operands, attributes or described results do not fit.
Result<std::unique_ptr<Graph>> BuildSingleOp(const SingleOp& op);

/// Its name, else "<index>_<type>_<operands>_<results>", each tensor as type, format and dims.
std::string SingleOpFileName(const SingleOp& op, size_t index);

}  // namespace cairn::compiler
