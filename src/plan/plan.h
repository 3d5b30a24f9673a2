// SPDX-License-Identifier: Apache-2.0
// Planning: an optimised graph and a target become a program with packed weights.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "executable/program.h"
#include "ir/graph.h"
#include "target/target_spec.h"

namespace cairn::plan {

/// For which nodes only kernels are chosen that round as the operator's definition does: for
/// convolutions direct ones and F(2,3). The more special entry wins: node before operator before all.
struct ExactChoice {
  using Names = std::set<std::string, std::less<>>;
  bool all = false;
  Names ops, nodes;              ///< Exact.
  Names loose_ops, loose_nodes;  ///< Not, whatever `all` and `ops` say.
  bool Wants(const Node& node) const;
};

struct PreparedForms;

struct PlanOptions {
  bool tune = false;               ///< Time candidates on this machine instead of the cost model.
  double weight_budget = 2.5;      ///< Packed bytes allowed, as a multiple of the constants (P6).
  ExactChoice exact;
  bool reuse_memory = true;
  bool use_kernels = true;         ///< False: every task on the reference (for comparisons).
  std::string bank_path;           ///< Tuning bank; empty: none.
  /// With recorded forms: the program is planned by them alone, quickly, and holds the constants that
  /// are not in their weights itself.
  PreparedForms* prepared = nullptr;
};

/// A layout conversion that stayed in the plan.
struct Conversion {
  std::string edge;                ///< "producer -> reader".
  std::string reason;
  uint64_t bytes = 0;
};

/// How one node was mapped, for logs and reports.
struct NodeMapping {
  std::string node, op;
  std::string kernel;                    ///< Empty: no task, the outputs are views of memory.
  std::string algorithm;
  std::vector<std::string> candidates;   ///< "direct blocked 12924" (cycles): all considered.
  std::vector<std::string> origins;      ///< Nodes of the model that this one stands for.
};

struct PlanReport {
  std::vector<Conversion> conversions;
  std::vector<NodeMapping> mappings;
  uint64_t arena_bytes = 0, arena_lower_bound = 0;
  uint64_t constant_bytes = 0, packed_bytes = 0;
  int num_vector_tasks = 0, num_reference_tasks = 0;
  std::vector<std::string> reference_nodes;   ///< Names of nodes on the reference kernel.
  std::vector<std::string> warnings;          ///< Sentences for the user.
};

struct CompiledProgram {
  Program program;
  std::vector<std::byte> weights;  ///< The weights section; tensor offsets are 512-byte aligned.
  PlanReport report;
};

class WeightStore;

/// All shapes of `graph` must be static. Deterministic for tune == false. `shared`: constants of
/// programs planned before; those of this one are added to it and the result has no weights of its
/// own.
Result<CompiledProgram> PlanProgram(const Graph& graph, const target::TargetSpec& target,
                                    const PlanOptions& options, WeightStore* shared = nullptr);

}  // namespace cairn::plan
