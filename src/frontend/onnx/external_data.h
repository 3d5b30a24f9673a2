// SPDX-License-Identifier: Apache-2.0
// Tensor contents that lie in files beside the model.
#pragma once

#include <map>
#include <string>

#include "base/status.h"
#include "frontend/onnx/model_file.h"
#include "ir/tensor.h"

namespace cairn::onnx {

/// Maps external files once each. Only files inside the model's folder are read: absolute paths,
/// `..`, and symbolic links that lead out of it are errors.
class ExternalData {
 public:
  /// `folder` "" allows no external data at all.
  explicit ExternalData(std::string folder) : folder_(std::move(folder)) {}

  /// The tensor described by the `external_data` entries of `proto`. It refers to the mapping.
  Result<Tensor> Read(const TensorProto& proto, ElementType dtype, Shape shape);

 private:
  Result<MappedFile> Open(const std::string& location);

  std::string folder_;
  std::map<std::string, MappedFile> files_;
};

}  // namespace cairn::onnx
