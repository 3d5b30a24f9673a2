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
  bool names = true;  ///< False: values are numbered, nodes unnamed, constants stand before their
                      ///< first reader: graphs that differ in names only print alike.
  bool origins = true;
  bool types = true;  ///< Types of node outputs.
};

/// Example:
///   graph @main(%x: f32[N,3,8,8]) -> (%y as "out") {
///     const %w: f32[4,3,1,1] = dense<[0.5, ...]>
///     %c: f32[N,4,8,8] = Conv(%x, %w, _) {strides = [1, 1]} name "conv1" origins ["conv1"]
///     %y: f32[N,4,8,8] = Relu(%c)
///   }
/// `_` is an absent input or output; a region prints as an attribute `@name(...) -> (...) {...}`;
/// names that are not identifiers are quoted; a node without `name` is named after its first
/// output. Attributes: `1` int, `1.0` float, `"s"` string, lists in brackets (`ints[]` when empty),
/// `tensor f32[2] dense<[1, 2]>`, `type f32[N]`. Constants: `dense<[...]>` row-major, `dense<0.5>`
/// repeats one value, `hex<"...">` holds the bytes.
std::string PrintGraph(const Graph& graph, const PrintOptions& options = {});

/// Reads the form PrintGraph writes with all constant elements (also `random<seed>`: a seeded
/// normal distribution, for tests). Types of node outputs may be omitted; the caller infers them.
/// Safe for untrusted text: nesting and the memory of repeated values are limited. Errors carry
/// line and column.
Result<std::unique_ptr<Graph>> ParseGraph(std::string_view text);

}  // namespace cairn
