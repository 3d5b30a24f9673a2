// SPDX-License-Identifier: Apache-2.0
// Running single passes on graph text, with the reference as judge of the result.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "ir/graph.h"
#include "passes/pass.h"

namespace cairn {

/// Parses and infers; a failure is reported and gives nullptr.
std::unique_ptr<Graph> ParseAndInfer(std::string_view text);
/// Runs one pass to its fixed point, verified and inferred after each round; returns all changes.
int RunPassTo(Graph& graph, std::string_view pass);
/// Text without names, types and origins and without what nobody reads.
std::string Normalized(const Graph& graph);
/// Largest difference of the results on the same random inputs, relative to the size of the
/// results, or infinity for a mismatch of shapes, types, infinities or NaNs. Symbols stand for 2.
double ResultDifference(const Graph& a, const Graph& b, uint64_t seed = 1);

/// `before` becomes `after` by the pass, and computes the same within `tolerance`.
void ExpectRewrite(std::string_view pass, std::string_view before, std::string_view after,
                   double tolerance = 2e-6);
/// The pass leaves the graph as it is.
void ExpectUnchanged(std::string_view pass, std::string_view text);

}  // namespace cairn
