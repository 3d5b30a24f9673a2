// SPDX-License-Identifier: Apache-2.0
// The stages from the model file to a program of static shapes.
#pragma once

#include <memory>
#include <optional>

#include "compiler/compiler.h"
#include "plan/draft.h"

namespace cairn::compiler {

/// A model after import and all passes.
struct OptimizedModel {
  std::shared_ptr<Graph> graph;
  std::vector<std::string> output_names;
  IoLayouts layouts;
};

/// A planned model.
struct BuiltModel {
  std::shared_ptr<Graph> graph;  ///< After all passes.
  IoLayouts layouts;
  plan::CompiledProgram compiled;  ///< The program with the names of model and outputs.
};

/// Imports with `import` and optimises. Nothing and an error in `report` on failure.
std::optional<OptimizedModel> OptimizeModel(const CompileOptions& options,
                                            const onnx::ImportOptions& import,
                                            CompileReport& report);

/// Optimises a graph that is there already.
std::optional<OptimizedModel> OptimizeGraph(const CompileOptions& options,
                                            std::shared_ptr<Graph> graph, CompileReport& report);

/// Plans a model of static shapes. `shared`: where the constants go, or null. Nothing and an error in
/// `report` on failure.
std::optional<BuiltModel> PlanModel(const CompileOptions& options, OptimizedModel model,
                                    plan::WeightStore* shared, CompileReport& report);

/// Adds `warnings` to the end of the report.
void AddWarnings(const std::vector<std::string>& warnings, ErrorReport& errors);

/// Gives the program the names that the file records.
void NameProgram(const CompileOptions& options, const std::vector<std::string>& output_names,
                 Program& program);

}  // namespace cairn::compiler
