// SPDX-License-Identifier: Apache-2.0
// Which operators of a network compute in float16 or bfloat16: the precision modes and their lists.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/element_type.h"
#include "ir/graph.h"

namespace cairn {

/// Types of single operands and results; kUndefined where nothing is asked for.
struct OperandTypes {
  std::vector<ElementType> inputs, outputs;
};

struct PrecisionPolicy {
  enum class Mode : uint8_t {
    kKeep,    ///< Only what `node_types` and `op_types` say.
    kMatrix,  ///< Convolutions and matrix products.
    kAll,     ///< Every operator on floats.
    kMixed,   ///< White list, black list, and the rest as the operator in front of it.
  };
  Mode mode = Mode::kKeep;
  ElementType type = ElementType::kF16;
  bool clip_constants = true;                       ///< Finite constants stay finite.
  std::set<std::string, std::less<>> white, black;  ///< Operators, for kMixed.
  std::set<std::string, std::less<>> kept_nodes, kept_ops;
  std::map<std::string, OperandTypes, std::less<>> node_types, op_types;

  bool DoesNothing() const { return mode == Mode::kKeep && node_types.empty() && op_types.empty(); }
  /// The types asked for one node, by name or else by operator; nullptr when there are none.
  const OperandTypes* TypesOf(const Node& node) const;
  bool IsKept(const Node& node) const;
};

/// The operator here that the original calls `name`, version suffixes ignored ("MatMulV2",
/// "Conv2D", "SoftmaxV2"); `name` itself when it is not known under another one.
std::string OperatorNamed(std::string_view name);

/// Convolutions and matrix products, fused ones too.
bool IsMatrixOp(std::string_view op);
/// The black list of kMixed before changes: operators that lose much to a small type.
std::set<std::string, std::less<>> DefaultBlackList();
std::set<std::string, std::less<>> DefaultWhiteList();

}  // namespace cairn
