// SPDX-License-Identifier: Apache-2.0
// Specializer: makes static programs of a dynamic model for shapes as they come.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "plan/plan.h"
#include "specialize/dynamic_model.h"
#include "specialize/stage.h"

namespace cairn::specialize {

/// A planned stage.
struct Stage {
  std::vector<std::byte> program;  ///< Empty: nothing to compute.
  std::vector<uint32_t> inputs, outputs;
  uint32_t end = 0;
};

class Specializer {
 public:
  /// `program` and `weights` must outlive the object.
  static Result<std::unique_ptr<Specializer>> Create(std::span<const std::byte> program,
                                                     std::span<const std::byte> weights);

  const ModelIndex& index() const { return *index_; }

  /// Plans the stage from node `begin` on. kInvalidArgument when the shapes of the model's inputs
  /// contradict each other, and for shapes that a node refuses.
  Result<Stage> Plan(uint32_t begin, const KnownTypes& known);

  /// Runs one node by its reference semantics; `inputs`: one per node input, undefined when absent.
  Result<std::vector<Tensor>> Evaluate(uint32_t node, std::vector<Tensor> inputs) const;

 private:
  Specializer() = default;
  Status CheckSymbols(const KnownTypes& known) const;

  DynamicModel model_;
  std::unique_ptr<ModelIndex> index_;
  target::TargetSpec target_;
};

}  // namespace cairn::specialize
