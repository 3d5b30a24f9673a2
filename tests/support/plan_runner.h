// SPDX-License-Identifier: Apache-2.0
// Plans a graph, runs the program on the host CPU, and runs the same graph by the reference.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/graph.h"
#include "plan/plan.h"

namespace cairn::testing {

/// Parses the text form and infers types; fails the test on an error.
std::unique_ptr<Graph> GraphFromText(const std::string& text);

/// Seeded inputs for every graph input: floats normally distributed, integers in [0, 3], bools.
std::vector<Tensor> RandomInputs(const Graph& graph, uint64_t seed);

/// The target of this machine's best instruction set with `num_cores`.
target::TargetSpec HostTarget(int num_cores = 1);

/// Writes, reads back and runs a compiled program on `num_threads` threads.
Result<std::vector<Tensor>> RunProgram(const plan::CompiledProgram& compiled,
                                       const std::vector<Tensor>& inputs, int num_threads);

/// Largest |a - b| relative to the root mean square of b; infinity when NaN patterns, infinities,
/// types or shapes differ. Integers and bools must be equal.
double RelativeError(const Tensor& a, const Tensor& b);

/// Plans `graph` with `options`, runs it and expects every output within `tolerance` of the
/// reference.
plan::CompiledProgram ExpectMatchesReference(const Graph& graph,
                                             const plan::PlanOptions& options = {},
                                             double tolerance = 1e-4, uint64_t seed = 1);

}  // namespace cairn::testing
