// SPDX-License-Identifier: Apache-2.0
// Operator cases as data: see tests/ops/README.md for the format.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "ir/attribute.h"

namespace cairn {

/// One application of an operator with what it must give.
struct OpCase {
  std::string name;
  int line = 0;
  std::vector<std::optional<Tensor>> inputs;  ///< nullopt: absent.
  Attributes attributes;
  std::vector<std::optional<Tensor>> outputs;  ///< nullopt: any value.
  std::string error;                           ///< Not empty: part of the expected message.
  bool error_is_static = false;  ///< Inference alone must fail, from attributes and shapes.
  double tolerance = 1e-6;       ///< |actual - expected| <= tolerance * max(1, |expected|).
};

struct OpCaseFile {
  std::string op;
  std::vector<OpCase> cases;
};

/// Reads a case file. Errors carry the line.
Result<OpCaseFile> ReadOpCases(const std::filesystem::path& path);

/// Runs the case with its inputs known to inference as constants, as shapes, as symbolic shapes and
/// not at all, evaluates the reference, and compares. "" when all agree, else what does not.
std::string RunOpCase(const std::string& op, const OpCase& test);

}  // namespace cairn
