// SPDX-License-Identifier: Apache-2.0
// Inputs of a comparison: from files, or random.
#pragma once

#include <string>
#include <vector>

#include "ir/graph.h"
#include "ir/tensor.h"

namespace cairn::compare {

/// One tensor per input of `graph`. `files`: one .npy or raw file per input; none: uniform random
/// values in [0,1), 0 or 1 for integers, the same in every run. kInvalidArgument names the file,
/// what it holds and what the input takes.
Result<std::vector<Tensor>> MakeInputs(const Graph& graph, const std::vector<std::string>& files);

/// Writes `tensor` as a NumPy file; nothing for types that NumPy does not have.
Status WriteNpy(const std::string& path, const Tensor& tensor);

}  // namespace cairn::compare
