// SPDX-License-Identifier: Apache-2.0
// What is decided at compile time about a model whose shapes become known at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "executable/program.h"

namespace cairn::plan {

/// The way in which a node is computed.
struct PreparedChoice {
  std::string kernel, algorithm;
  std::vector<Layout> inputs, outputs;
};

/// Choices and packed constants. Recorded by one planning, used by later ones of the same graph with
/// other shapes, which then neither search nor pack.
struct PreparedForms {
  struct Packed {
    uint64_t offset = 0, bytes = 0;
  };
  bool recording = false;
  bool emitting = false;  ///< The program itself is written, not a trial of a candidate.
  std::map<std::string, PreparedChoice> choices;  ///< By node name.
  std::map<std::string, Packed> packed;           ///< In `weights`, by node, kernel and size.
  /// The weights section. Constants of the graph that lie in it are used where they are.
  std::span<const std::byte> weights;
};

}  // namespace cairn::plan
