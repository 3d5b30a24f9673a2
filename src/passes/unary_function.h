// SPDX-License-Identifier: Apache-2.0
// Clusters of element-wise nodes seen as one function of one variable.
//
// An activation has many spellings (factors in any order, divisions for products, constants folded
// or not). A cluster is recognised by what it computes: its value at sample points, in double.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "passes/rewrite.h"

namespace cairn {

class UnaryFunction {
 public:
  Value* variable() const { return variable_; }
  Node* root() const { return nodes_.front(); }
  const std::vector<Node*>& nodes() const { return nodes_; }  ///< Readers before producers.

  /// The value of the root's output where the variable is `x`.
  double operator()(double x) const;
  /// True when it agrees with `other` at all sample points and at `more`, within the rounding of
  /// the root's element type.
  bool Agrees(const std::function<double(double)>& other,
              std::initializer_list<double> more = {}) const;

 private:
  friend class ClusterGrower;
  Value* variable_ = nullptr;
  std::vector<Node*> nodes_;
};

/// Grows the cluster of `root` backwards through element-wise nodes of the same type whose outputs
/// only the cluster reads (at most 20 nodes). Whenever the root is a function of a single value of
/// its own type and the cluster has at least two nodes, one of them with an operator in
/// `signature`, asks `is_wanted`. Returns the largest wanted cluster.
std::optional<UnaryFunction> FindUnaryFunction(
    Node& root, std::initializer_list<std::string_view> signature,
    const std::function<bool(const UnaryFunction&)>& is_wanted);

/// Replaces the cluster by one node of `op` on its variable.
Status ReplaceCluster(Graph& graph, const UnaryFunction& function, const std::string& op,
                      Attributes attributes);

}  // namespace cairn
