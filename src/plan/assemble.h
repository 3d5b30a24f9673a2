// SPDX-License-Identifier: Apache-2.0
// Turns a placed draft into the records of a program.
#pragma once

#include <unordered_map>

#include "plan/draft.h"

namespace cairn::plan {

/// Writes tensors that tasks or the interface use, in order of first appearance.
class Assembler {
 public:
  Assembler(const Draft& draft, Program& program) : draft_(draft), program_(program) {}

  /// The program's index of a tensor.
  uint32_t Tensor(TensorId id);
  void AddTask(const DraftTask& task);
  ProgramIo Io(const std::string& name, TensorId id);

 private:
  const Draft& draft_;
  Program& program_;
  std::unordered_map<TensorId, uint32_t> index_;
};

}  // namespace cairn::plan
