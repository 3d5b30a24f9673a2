// SPDX-License-Identifier: Apache-2.0
// Frame: the names visible while the nodes of one graph, region or function body are imported.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "frontend/onnx/external_data.h"
#include "ir/graph.h"

namespace cairn::onnx {

/// Operator set versions by canonical domain.
using Opsets = std::map<std::string, int64_t, std::less<>>;

/// Bindings of ONNX tensor names to values of `graph`. Initialisers become constants when they are
/// first read. A region's frame sees constants of its parents (as copies that share storage); other
/// outer values are bound to the region's trailing inputs before its nodes are imported.
struct Frame {
  Graph* graph = nullptr;
  /// Enclosing frame of a region, or of a branch that is imported in its place (the same graph);
  /// null for a model or function.
  Frame* parent = nullptr;
  const Opsets* opsets = nullptr;
  /// Attributes of the call while a function body is imported, for references.
  const std::map<std::string, AttributeProto*>* call_attributes = nullptr;
  std::string prefix;  ///< Put before node and tensor names of an inlined body.
  ExternalData* external = nullptr;
  std::unordered_map<std::string, Value*> values;
  std::unordered_map<std::string, TensorProto*> initializers;
  std::unordered_map<std::string, SparseTensorProto*> sparse_initializers;
  /// Declared types, with the place where they are declared ("value_info", "output").
  std::unordered_map<std::string, std::pair<const ValueInfoProto*, const char*>> declared;

  bool Knows(const std::string& name) const {
    return values.count(name) || initializers.count(name) || sparse_initializers.count(name) ||
           (parent && parent->Knows(name));
  }
  /// The value bound to `name`, null for an absent optional argument of a function.
  Result<Value*> Find(const std::string& name);
};

}  // namespace cairn::onnx
