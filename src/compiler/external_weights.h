// SPDX-License-Identifier: Apache-2.0
// Writes weights to files beside the offline model.
#pragma once

#include <string>
#include <vector>

#include "executable/weight_files.h"
#include "plan/plan.h"

namespace cairn::compiler {

/// Where weights lie.
enum class WeightPlace {
  kInside,    ///< In the offline model.
  kSeparate,  ///< weight/weight_<sha256>, one file for each different constant.
  kCombined,  ///< weight/<model>_weight_combined.
};

/// Writes the weights of `compiled` into the folder `weight` beside `output_path` and says where
/// they are. Empty when there are no weights.
Result<std::vector<WeightFile>> WriteExternalWeights(const plan::CompiledProgram& compiled,
                                                     const std::string& output_path,
                                                     WeightPlace place);

}  // namespace cairn::compiler
