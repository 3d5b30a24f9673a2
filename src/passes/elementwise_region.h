// SPDX-License-Identifier: Apache-2.0
// Regions of element-wise operators: which nodes may enter one, and how it is built.
#pragma once

#include <memory>
#include <vector>

#include "passes/rewrite.h"

namespace cairn {

// Bounds that the element-wise engine can always hold.
inline constexpr size_t kMaxRegionNodes = 20;
inline constexpr size_t kMaxRegionOperands = 12;
inline constexpr size_t kMaxRegionConstants = 24;
inline constexpr size_t kMaxRegionOutputs = 4;
inline constexpr int64_t kMaxRegionRank = 6;

/// True for an arithmetic or activation operator of plain floats, all operands and the result of
/// one element type, whose operands broadcast to the result's (known) shape.
bool IsFusible(const Node& node);

/// A region and what it reads.
struct ElementwiseRegion {
  Region graph;
  std::vector<Value*> operands;  ///< Outer values of the region's inputs.
};

/// Copies `nodes` (producers first) into a region. Its inputs are `first` (when not null) and then
/// every outer value the nodes read, in order of appearance; numbers become scalar constants
/// inside. Its outputs are `results`, values made by the nodes.
Result<ElementwiseRegion> BuildElementwiseRegion(const std::string& name,
                                                 const std::vector<Node*>& nodes, Value* first,
                                                 const std::vector<Value*>& results);

}  // namespace cairn
