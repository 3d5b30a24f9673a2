// SPDX-License-Identifier: Apache-2.0
// Cases of the ONNX backend test suite: a folder with model.onnx and data sets of input_N.pb and
// output_N.pb.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "ir/graph.h"
#include "ir/tensor.h"

namespace cairn {

/// What one case came to.
struct CaseResult {
  enum class Outcome { kPassed, kUnsupported, kFailed };
  Outcome outcome = Outcome::kFailed;
  std::string reason;  ///< Why it is unsupported, or what failed.
};

/// Changes a copy of the case's graph before it runs on `inputs`.
using PrepareFn = std::function<Status(Graph& graph, const std::vector<Tensor>& inputs)>;

/// Imports the case's model, runs the reference on every data set and compares the outputs: |a - b|
/// <= 1e-7 + 1e-3 |b| for floats, as the suite itself does, and exactly for everything else.
CaseResult RunOnnxCase(const std::filesystem::path& folder, const PrepareFn& prepare = {});

/// Reads a TensorProto file; nullopt with kUnsupported when it holds a sequence or an optional.
Result<Tensor> ReadTensorFile(const std::filesystem::path& path);

/// What differs between two tensors, or "" when they agree within the tolerance.
std::string Difference(const Tensor& actual, const Tensor& expected);

}  // namespace cairn
