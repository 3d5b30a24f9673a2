// SPDX-License-Identifier: Apache-2.0
// The loaded model and its description.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "acl/acl.h"

namespace msame {

/// Loads in Load, unloads in the destructor.
class Model {
 public:
  Model() = default;
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// False after a failure, which has been printed.
  bool Load(const std::string& path);

  uint32_t id() const { return id_; }
  aclmdlDesc* desc() const { return desc_; }
  size_t num_inputs() const { return aclmdlGetNumInputs(desc_); }
  size_t num_outputs() const { return aclmdlGetNumOutputs(desc_); }

  /// Position of the hidden input that carries the gear of a dynamic model.
  std::optional<size_t> FindGearInput() const;

  /// The lines of --debug.
  void PrintDescription() const;

 private:
  bool loaded_ = false;
  uint32_t id_ = 0;
  aclmdlDesc* desc_ = nullptr;
};

}  // namespace msame
