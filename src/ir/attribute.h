// SPDX-License-Identifier: Apache-2.0
// Attribute: a compile-time parameter of a node.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "ir/tensor.h"
#include "ir/type.h"

namespace cairn {

class Graph;
using Ints = std::vector<int64_t>;
using Floats = std::vector<float>;
using Strings = std::vector<std::string>;
using Region = std::shared_ptr<Graph>;  ///< A nested graph; owned by one node, never null.

using Attribute = std::variant<int64_t, float, std::string, Ints, Floats, Strings, Tensor, Region,
                               std::vector<Region>, TensorType>;

/// Sorted by name, so that printing and comparing are deterministic.
using Attributes = std::map<std::string, Attribute>;

}  // namespace cairn
