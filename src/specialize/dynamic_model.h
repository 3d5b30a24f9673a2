// SPDX-License-Identifier: Apache-2.0
// DynamicModel: a graph of open shapes with what was prepared for it, and its form in a program.
#pragma once

#include <memory>
#include <span>

#include "base/status.h"
#include "executable/program.h"
#include "ir/graph.h"
#include "plan/prepared.h"

namespace cairn::specialize {

/// Constants of more bytes lie in the weights section, smaller ones in the graph's text.
inline constexpr size_t kInlineConstantBytes = 256;

struct DynamicModel {
  std::unique_ptr<Graph> graph;
  plan::PreparedForms prepared;
};

/// Offsets in the weights of the large constants of `graph`'s nodes (not of regions).
using ConstantOffsets = std::map<const Value*, uint64_t>;

/// The task that holds the model: its text, the places of its constants, choices and packed forms.
Task WriteDynamicModel(const Graph& graph, const ConstantOffsets& offsets,
                       const plan::PreparedForms& prepared);

/// Reads an untrusted program over `weights`, which the model's constants then refer to.
/// kDataCorrupt for anything that does not fit together.
Result<DynamicModel> ReadDynamicModel(const Program& program, std::span<const std::byte> weights);

}  // namespace cairn::specialize
