// SPDX-License-Identifier: Apache-2.0
// Readable text form of a graph, and its parser.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "ir/graph.h"

namespace cairn {

struct PrintOptions {
  int64_t max_constant_elements = 16;  ///< Larger constants print as `dense<...>`; -1: all.
  bool origins = true;
  bool types = true;
};

/// Example:
///   graph @main(%x: f32[N,3,8,8]) -> (%y as "out") {
///     const %w: f32[4,3,1,1] = dense<[0.5, ...]>
///     %c: f32[N,4,8,8] = Conv(%x, %w, _) {strides = [1, 1]} name "conv1" origins ["conv1"]
///     %y: f32[N,4,8,8] = Relu(%c)
///   }
/// `_` is an absent input; regions print nested in braces; names that are not identifiers are quoted.
std::string PrintGraph(const Graph& graph, const PrintOptions& options = {});

/// Reads the form PrintGraph writes with all constant elements (`dense<0.5>` repeats one value,
/// `random<seed>` fills with a seeded normal distribution, for tests). Types of node outputs may be
/// omitted; the caller infers them. Errors carry line and column.
Result<std::unique_ptr<Graph>> ParseGraph(std::string_view text);

}  // namespace cairn
