// SPDX-License-Identifier: Apache-2.0
// Lowering: which kernels can compute a node, in which layouts, at what cost, and how.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/graph.h"
#include "kernels/isa.h"
#include "plan/plan.h"

namespace cairn::plan {

class Emitter;

/// What every lowering knows.
struct LowerContext {
  const target::TargetSpec& target;
  const PlanOptions& options;
  kernels::Isa isa;

  int c0() const { return kernels::VectorFloats(isa); }
};

/// One way to compute a node.
struct Candidate {
  std::string kernel;     ///< Empty: no task at all (the outputs are views).
  std::string algorithm;  ///< "winograd4", "direct", ...; may be empty.
  std::vector<Layout>
      inputs;  ///< Wanted for each node input; constants and absent ones are ignored.
  std::vector<Layout> outputs;  ///< Produced for each node output.
  double cycles = 0;            ///< Estimate for one core.
  uint64_t packed_bytes = 0;    ///< Constants in packed form.
  std::function<Status(Emitter&)> emit;
};

/// Appends the candidates for `node`, best guess first; none when no kernel fits.
using LowerFn = void (*)(const LowerContext& context, const Node& node,
                         std::vector<Candidate>& candidates);

/// All candidates of a node: those of its operator's lowering, or the reference alone.
std::vector<Candidate> FindCandidates(const LowerContext& context, const Node& node);

/// The concrete shape of a value; shapes are checked to be static before lowering begins.
Shape StaticShape(const Value& value);
int64_t ElementCount(const Shape& shape);
/// True when a value of this type can lie in the blocked layout.
bool CanBlock(const Value& value);
/// `count` layouts, all the same.
std::vector<Layout> AllIn(Layout layout, size_t count);

/// Estimated cycles to convert a value between layouts; 0 when the bytes agree.
double ConversionCycles(const LowerContext& context, const Value& value, Layout from, Layout to);
/// True when the bytes of `from` begin with the bytes of `to`.
bool SameBytes(const Shape& shape, Layout from, Layout to, int c0);
/// Cycles to move `bytes` through the cache level that holds them.
double TrafficCycles(const LowerContext& context, double bytes);

}  // namespace cairn::plan
