// SPDX-License-Identifier: Apache-2.0
// Runs a model file through the C API, as an application does.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "ir/tensor.h"

namespace cairn::testing {

/// Loads `path`, executes it once on `inputs` and returns the outputs with the shapes of this run.
/// The expected outputs bound the buffers of outputs whose size is not fixed. aclInit and
/// aclrtSetDevice have been called.
Result<std::vector<Tensor>> RunOfflineModel(const std::string& path,
                                            const std::vector<Tensor>& inputs,
                                            const std::vector<Tensor>& expected);

}  // namespace cairn::testing
