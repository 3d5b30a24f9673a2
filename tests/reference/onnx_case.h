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

/// How far numbers may be apart: |a - b| <= absolute + relative |b|, as the suite itself does.
struct Tolerance {
  double relative = 1e-3, absolute = 1e-7;
  double integer_relative = 0, integer_absolute = 0;
};

/// Imports the case's model, runs the reference on every data set and compares the outputs within
/// the default tolerance.
CaseResult RunOnnxCase(const std::filesystem::path& folder, const PrepareFn& prepare = {});

/// Reads a file that holds a value of `type`'s kind.
Result<Tensor> ReadValueFile(const std::filesystem::path& path, const TensorType& type);
/// The files `prefix`_0.pb, `prefix`_1.pb ... of a data set as values of these types; files without
/// a type hold tensors.
Result<std::vector<Tensor>> ReadValues(const std::filesystem::path& folder,
                                       const std::string& prefix,
                                       const std::vector<Value*>& values);

/// What differs between two values, or "" when they agree within the tolerance.
std::string Difference(const Tensor& actual, const Tensor& expected,
                       const Tolerance& tolerance = {});

}  // namespace cairn
